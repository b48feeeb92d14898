// Shows the server's description of itself. FastAPI's own page would load its parts from elsewhere.

import { make } from "/static/panels.js";

function kind(schema) {
  const options = (schema.anyOf ?? [schema]).map(resolved);
  const words = options
    .filter((option) => option.type !== "null")
    .map((option) => {
      if (option.enum) return option.enum.join(", ");
      const range = [option.minimum, option.maximum].filter((limit) => limit !== undefined);
      return [option.type === "array" ? "list" : option.type, range.join("–")].filter(Boolean).join(" ");
    });
  if (String(schema.default ?? "") !== "") words.push(`default ${schema.default}`);
  return words.join("; ");
}

function link(path) {
  const anchor = make("a", "", path);
  anchor.href = path;
  return anchor;
}

/** A schema itself, where the description only points to it. */
function resolved(schema) {
  const name = schema?.$ref?.split("/").at(-1);
  return name === undefined ? schema : description.components.schemas[name];
}

function rows(fields) {
  const table = make("table", "");
  for (const texts of fields) {
    const row = table.insertRow();
    for (const text of texts) row.insertCell().textContent = text;
  }
  return table;
}

/** The fields of the JSON object that is sent along; those that must be there have a star. */
function body(what) {
  const sent = what.requestBody?.content?.["application/json"]?.schema;
  const parts = (sent?.anyOf ?? [sent]).map(resolved).filter((one) => one?.properties);
  return parts.flatMap(({ properties, required = [] }) =>
    Object.entries(properties).map(([name, schema]) => [
      required.includes(name) ? `${name} *` : name,
      kind(schema),
      schema.description ?? resolved(schema).description ?? "",
    ]),
  );
}

function operation(path, method, what) {
  const head = make("h2", "", make("span", "method", method.toUpperCase()));
  head.append(method === "get" ? link(path) : path);
  const article = make("article", "", head, make("p", "", what.description ?? what.summary ?? ""));
  const parameters = (what.parameters ?? []).filter((one) => one.in === "query");
  if (parameters.length > 0) {
    article.append(rows(parameters.map((one) => [one.name, kind(one.schema), one.description ?? ""])));
  }
  const fields = body(what);
  if (fields.length > 0) article.append(make("h3", "", "JSON object to send"), rows(fields));
  return article;
}

const description = await (await fetch("/openapi.json")).json();
const place = document.getElementById("paths");
for (const [path, operations] of Object.entries(description.paths)) {
  for (const [method, what] of Object.entries(operations)) {
    place.append(operation(path, method, what));
  }
}
