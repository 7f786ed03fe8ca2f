import { setTimeout as wait } from 'node:timers/promises'

/** The public API with one key, as programs of a shop use it. */
export interface ShopApi {
  get<T>(path: string): Promise<T>
  post<T>(path: string, body?: unknown): Promise<T>
  put<T>(path: string, body: unknown): Promise<T>
  patch<T>(path: string, body: unknown): Promise<T>
  delete<T>(path: string): Promise<T>
  postCsv<T>(path: string, csv: string): Promise<T>
  upload(address: string, bytes: Uint8Array): Promise<void>
  /** All rows of a list. */
  all<T>(path: string): Promise<T[]>
}

/** The service said no. */
export class Refusal extends Error {
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.name = 'Refusal'
    this.code = code
  }
}

const pageSize = 100
const timeoutMs = 70_000

/** A person tries again when the service is busy; on a machine that does much else it may be so for a while. */
const mostTries = 10
const betweenTriesMs = 1_000

export function createShopApi(serviceUrl: string, key: string): ShopApi {
  async function send<T>(method: string, path: string, body?: { type: string; text: string }): Promise<T> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await sendOnce(method, path, body)
      } catch (error) {
        if (!(error instanceof Refusal) || error.code !== 'SERVICE_UNAVAILABLE' || tries === mostTries) throw error
        await wait(betweenTriesMs)
      }
    }
  }

  async function sendOnce<T>(method: string, path: string, body?: { type: string; text: string }): Promise<T> {
    const answer = await fetch(`${serviceUrl}/public/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, ...(body && { 'content-type': body.type }) },
      ...(body && { body: body.text }),
      signal: AbortSignal.timeout(timeoutMs),
    })
    const { success, data, error } = (await answer.json()) as { success: boolean; data: T; error?: { code: string } }
    if (!success) throw new Refusal(error?.code ?? 'UNKNOWN', `${method} ${path}: ${JSON.stringify(error)}`)
    return data
  }
  const json = (body: unknown) =>
    body === undefined ? undefined : { type: 'application/json', text: JSON.stringify(body) }
  const api: ShopApi = {
    get: (path) => send('GET', path),
    post: (path, body) => send('POST', path, json(body)),
    put: (path, body) => send('PUT', path, json(body)),
    patch: (path, body) => send('PATCH', path, json(body)),
    delete: (path) => send('DELETE', path),
    postCsv: (path, text) => send('POST', path, { type: 'text/csv', text }),
    async upload(address, bytes) {
      const answer = await fetch(new URL(address, serviceUrl), { method: 'PUT', body: Buffer.from(bytes) })
      if (!answer.ok) throw new Error(`${address} answered ${answer.status}: ${await answer.text()}`)
    },
    async all<T>(path: string) {
      const rows: T[] = []
      for (;;) {
        const page: T[] = await api.get(
          `${path}${path.includes('?') ? '&' : '?'}limit=${pageSize}&offset=${rows.length}`,
        )
        rows.push(...page)
        if (page.length < pageSize) return rows
      }
    },
  }
  return api
}

/** Does it, and answers undefined where the service refuses it for one of these reasons. */
export async function unlessRefused<T>(codes: readonly string[], work: Promise<T>): Promise<T | undefined> {
  try {
    return await work
  } catch (error) {
    if (error instanceof Refusal && codes.includes(error.code)) return undefined
    throw error
  }
}
