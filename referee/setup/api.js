// The server's calls. What it refuses comes as an Error with its sentence.

import { language } from "./words.js";

const address = (path) => `/api/setup${path}?lang=${language}`;

export async function get(path) {
  const answer = await fetch(address(path), { cache: "no-store" });
  return told(answer);
}

export async function post(path, body) {
  const answer = await fetch(address(path), {
    method: "POST",
    headers: body === undefined ? {} : { "Content-Type": "application/json" },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  return told(answer);
}

async function told(answer) {
  if (answer.ok) return answer.json();
  let text = `the server answers ${answer.status}`;
  try {
    const { detail } = await answer.json();
    text = typeof detail === "string" ? detail : detail.map((one) => one.msg).join("; ");
  } catch {
    // A proxy's page, say: the number has to do.
  }
  throw new Error(text);
}
