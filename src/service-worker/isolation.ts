/** Only a page and workers that all answer with these may share memory between threads. */
const isolationHeaders = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  // Not `credentialless`, which Safari and Firefox ignore.
  'Cross-Origin-Embedder-Policy': 'require-corp',
};

/** The same answer with the isolation headers. What has no status (an opaque redirect) stays as it is. */
export function isolated(response: Response): Response {
  if (response.status === 0) return response;
  const headers = new Headers(response.headers);
  for (const [name, value] of Object.entries(isolationHeaders)) headers.set(name, value);
  const { status, statusText } = response;
  return new Response(response.body, { status, statusText, headers });
}
