/** Data of an answer, or a failure with the code of the API. */
export class FarmRequestError extends Error {
  readonly status: number
  readonly code: string

  constructor(status: number, code: string, message: string) {
    super(message)
    this.name = 'FarmRequestError'
    this.status = status
    this.code = code
  }
}

/** The public API as the demo uses it: like any integration, with a key and its limit. */
export interface FarmClient {
  get<T>(path: string): Promise<T>
  post<T>(path: string, body?: unknown): Promise<T>
  patch<T>(path: string, body: unknown): Promise<T>
  put<T>(path: string, body: unknown): Promise<T>
  /** Puts the bytes of a file where `upload-url` said. */
  upload(address: string, bytes: Uint8Array): Promise<void>
  /** Sends a picture as forms do. */
  postPicture(path: string, picture: Blob): Promise<void>
}

const requestTimeoutMs = 70_000

export function createFarmClient(serviceUrl: string, key: string, signal: AbortSignal): FarmClient {
  async function request<T>(method: string, path: string, body?: unknown): Promise<T> {
    const answer = await fetch(`${serviceUrl}/public/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.any([signal, AbortSignal.timeout(requestTimeoutMs)]),
    })
    return read<T>(answer)
  }

  return {
    get: (path) => request('GET', path),
    post: (path, body) => request('POST', path, body),
    patch: (path, body) => request('PATCH', path, body),
    put: (path, body) => request('PUT', path, body),
    async postPicture(path, picture) {
      const form = new FormData()
      form.set('image', picture, 'picture')
      const answer = await fetch(`${serviceUrl}/public/v1${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}` },
        body: form,
        signal: AbortSignal.any([signal, AbortSignal.timeout(requestTimeoutMs)]),
      })
      await read(answer)
    },
    async upload(address, bytes) {
      await read(await fetch(new URL(address, serviceUrl), { method: 'PUT', body: Buffer.from(bytes), signal }))
    },
  }
}

async function read<T>(answer: Response): Promise<T> {
  const body = (await answer.json()) as
    | { success: true; data: T }
    | { success: false; error: { code: string; message: string } }
  if (body.success) return body.data
  throw new FarmRequestError(answer.status, body.error.code, body.error.message)
}
