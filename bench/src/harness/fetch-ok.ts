/** The body of an answer. @throws when it is not 2xx. */
export async function fetchOk(url: string, headers: Record<string, string>, init: RequestInit = {}): Promise<string> {
  const response = await fetch(url, { ...init, headers })
  const body = await response.text()
  if (!response.ok) throw new Error(`${url} answers ${response.status}: ${body}`)
  return body
}
