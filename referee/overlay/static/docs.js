// Shows the server's description of itself. FastAPI's own page would load its parts from elsewhere.

import { make } from "/static/panels.js";

function kind(schema) {
  const options = schema.anyOf ?? [schema];
  const words = options
    .filter((option) => option.type !== "null")
    .map((option) => {
      if (option.enum) return option.enum.join(", ");
      const range = [option.minimum, option.maximum].filter((limit) => limit !== undefined);
      return [option.type, range.join("–")].filter(Boolean).join(" ");
    });
  if (schema.default !== undefined) words.push(`default ${schema.default}`);
  return words.join("; ");
}

function link(path) {
  const anchor = make("a", "", path);
  anchor.href = path;
  return anchor;
}

function operation(path, method, what) {
  const head = make("h2", "", make("span", "method", method.toUpperCase()));
  head.append(method === "get" ? link(path) : path);
  const article = make("article", "", head, make("p", "", what.description ?? what.summary ?? ""));
  const parameters = (what.parameters ?? []).filter((one) => one.in === "query");
  if (parameters.length > 0) {
    const table = make("table", "");
    for (const one of parameters) {
      const row = table.insertRow();
      for (const text of [one.name, kind(one.schema), one.description ?? ""]) {
        row.insertCell().textContent = text;
      }
    }
    article.append(table);
  }
  return article;
}

const description = await (await fetch("/openapi.json")).json();
const place = document.getElementById("paths");
for (const [path, operations] of Object.entries(description.paths)) {
  for (const [method, what] of Object.entries(operations)) {
    place.append(operation(path, method, what));
  }
}
