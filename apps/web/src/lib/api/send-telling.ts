/** How much of a body was sent, in bytes; with a form, what the browser writes around its parts counts too. */
export interface Sent {
  bytes: number
  total: number
}

interface ToSend {
  method: string
  headers?: Record<string, string>
  body: Blob | FormData
  signal?: AbortSignal | undefined
  /** How long nothing may be sent, nor an answer come, in ms; left out: as long as it takes. */
  timeoutMs?: number
}

/** Sends a body as `fetch` does, and tells how much of it was sent: `fetch` tells nothing of that. */
export function sendTelling(
  url: string,
  { method, headers = {}, body, signal, timeoutMs }: ToSend,
  onSent: (sent: Sent) => void,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    const abort = () => request.abort()
    let timer: ReturnType<typeof setTimeout> | undefined
    const wait = () => {
      clearTimeout(timer)
      if (timeoutMs === undefined) return
      timer = setTimeout(() => {
        reject(new DOMException('', 'TimeoutError'))
        request.abort()
      }, timeoutMs)
    }
    request.open(method, url)
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    request.upload.onprogress = ({ loaded, total }) => {
      wait()
      onSent({ bytes: loaded, total })
    }
    request.onload = () => resolve(responseOf(request))
    request.onerror = () => reject(new DOMException('', 'NetworkError'))
    request.onabort = () => reject(signal?.reason)
    request.onloadend = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
    }
    signal?.addEventListener('abort', abort)
    if (signal?.aborted) {
      reject(signal.reason)
      return
    }
    wait()
    request.send(body)
  })
}

function responseOf(request: XMLHttpRequest): Response {
  const headers = new Headers()
  for (const line of request
    .getAllResponseHeaders()
    .trim()
    .split(/[\r\n]+/)) {
    const at = line.indexOf(':')
    if (at > 0) headers.append(line.slice(0, at), line.slice(at + 1).trim())
  }
  return new Response(request.responseText, { status: request.status, headers })
}
