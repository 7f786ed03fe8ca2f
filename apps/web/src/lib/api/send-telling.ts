import { TimeoutError } from '@printyard/sdk/errors'

/** How much of a body was sent, in bytes; with a form, what the browser writes around its parts counts too. */
export interface Sent {
  bytes: number
  total: number
}

interface ToSend extends RequestInit {
  /** How long nothing may be sent, nor an answer come, in ms; left out: as long as it takes. */
  timeoutMs?: number
}

/**
 * Sends a file or a form as `fetch` does, and tells how much of it was sent: `fetch` tells nothing of that.
 *
 * @throws TimeoutError when nothing moved for `timeoutMs`
 */
export function sendTelling(
  url: string,
  { method = 'GET', headers, body, signal, timeoutMs }: ToSend,
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
        // The client says it in the language of the page.
        reject(new TimeoutError(''))
        request.abort()
      }, timeoutMs)
    }
    request.open(method, url)
    new Headers(headers).forEach((value, name) => void request.setRequestHeader(name, value))
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
    request.send(body as Blob | FormData)
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
