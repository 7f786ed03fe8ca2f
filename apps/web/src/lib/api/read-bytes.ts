import { t } from '../i18n/t.ts'
import { ApiError } from './api-error.ts'

/** Bytes that the service answers under `/app/v1`, such as a picture. Rejects with `ApiError`, as every call does. */
export async function readBytes(path: string, signal: AbortSignal): Promise<Blob> {
  let response: Response
  try {
    response = await fetch(`/app/v1${path}`, { credentials: 'same-origin', signal })
  } catch (cause) {
    signal.throwIfAborted()
    throw new ApiError(t('The service cannot be reached.'), { code: 'SERVICE_UNREACHABLE', status: 0, cause })
  }
  if (response.ok) return response.blob()
  const body: unknown = await response.json().catch(() => undefined)
  const { code, message, details } = errorOf(body)
  const requestId = response.headers.get('x-request-id') ?? undefined
  throw new ApiError(message ?? t('The service answered HTTP {status}.', { status: response.status }), {
    code: code ?? 'UNREADABLE_ANSWER',
    status: response.status,
    details,
    requestId,
  })
}

/** The service's errors have this form; a proxy's have not. */
function errorOf(body: unknown): { code?: string; message?: string; details?: unknown } {
  return (body as { error?: { code: string; message: string; details?: unknown } } | undefined)?.error ?? {}
}
