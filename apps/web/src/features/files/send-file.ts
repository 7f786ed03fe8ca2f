import { api } from '../../lib/api/api.ts'
import { ApiError } from '../../lib/api/api-error.ts'
import type { PrintFileDetail } from '../../lib/api/api-schema.generated.ts'
import { t } from '../../lib/i18n/t.ts'
import { ownAddress } from '../../lib/own-address.ts'

interface How {
  signal: AbortSignal
  onProgress: (percent: number) => void
}

/** The endings that the service takes. */
const endings = ['.gcode', '.gco', '.g', '.3mf', '.bgcode', '.ufp', '.stl', '.obj', '.amf']

/** Why a file need not even be sent; undefined: it may be one. */
function whyNoPrintFile({ name, size }: Pick<File, 'name' | 'size'>): string | undefined {
  if (size === 0) return t('This file is empty. Export it from the slicer again.')
  if (endings.some((ending) => name.toLowerCase().endsWith(ending))) return undefined
  return t('This is not a print file. Printyard takes G-code, .3mf and .bgcode, and models as .stl, .obj or .amf.')
}

/** Sends a file and adds it: a new one, or a version of the file with this ID. */
export async function sendFile(file: File, { signal, onProgress }: How, versionOf?: string): Promise<PrintFileDetail> {
  const reason = whyNoPrintFile(file)
  if (reason !== undefined) throw new ApiError(reason, { code: 'INVALID_FILE', status: 400 })
  const { upload_url, token } = await api.call('POST /files/upload-url', {
    body: { filename: file.name, ...(file.size > 0 && { size_bytes: file.size }) },
    signal,
  })
  await putBytes(ownAddress(upload_url), file, { signal, onProgress })
  const body = { upload_token: token }
  if (versionOf === undefined) return api.call('POST /files', { body, signal })
  return (await api.call('POST /files/{id}/versions', { params: { id: versionOf }, body, signal })).file
}

/** `fetch` tells nothing of how much was sent. */
function putBytes(address: string, file: File, { signal, onProgress }: How): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    const abort = () => request.abort()
    request.open('PUT', address)
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? (loaded / total) * 100 : 100)
    request.onload = () => (request.status < 300 ? resolve() : reject(refusal(request)))
    request.onerror = () => {
      reject(
        new ApiError(t('The connection broke while the file was sent.'), { code: 'SERVICE_UNREACHABLE', status: 0 }),
      )
    }
    request.onabort = () => reject(signal.reason)
    request.onloadend = () => signal.removeEventListener('abort', abort)
    signal.addEventListener('abort', abort)
    if (signal.aborted) reject(signal.reason)
    else request.send(file)
  })
}

function refusal(request: XMLHttpRequest): ApiError {
  const requestId = request.getResponseHeader('x-request-id') ?? undefined
  try {
    // An error of the service is an envelope; anything else does not have these fields, and is caught below.
    const { error } = JSON.parse(request.responseText) as {
      error: { code: string; message: string; details?: unknown }
    }
    const { code, message, details } = error
    return new ApiError(message, { code, status: request.status, details, requestId })
  } catch {
    const message = t('The answer (HTTP {status}) is not one that Printyard gives.', { status: request.status })
    return new ApiError(message, { code: 'UNREADABLE_ANSWER', status: request.status, requestId })
  }
}
