import { readRefusal } from '@printyard/sdk/request'
import { api } from '../../lib/api/api.ts'
import { ApiError, inWords } from '../../lib/api/api-error.ts'
import type { PrintFileDetail } from '../../lib/api/api-schema.generated.ts'
import { sendTelling } from '../../lib/api/send-telling.ts'
import { t } from '../../lib/i18n/t.ts'
import { ownAddress } from '../../lib/own-address.ts'

interface How {
  signal: AbortSignal
  /** Where a new file goes; empty or left out for no folder. */
  folder?: string
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
export async function sendFile(
  file: File,
  { signal, onProgress, folder = '' }: How,
  versionOf?: string,
): Promise<PrintFileDetail> {
  const reason = whyNoPrintFile(file)
  if (reason !== undefined) throw new ApiError(reason, { code: 'INVALID_FILE', status: 400 })
  const { upload_url, token } = await api.call('POST /files/upload-url', {
    body: { filename: file.name, ...(file.size > 0 && { size_bytes: file.size }) },
    signal,
  })
  await putBytes(ownAddress(upload_url), file, { signal, onProgress })
  const body = { upload_token: token }
  if (versionOf === undefined) {
    return api.call('POST /files', { body: { ...body, ...(folder !== '' && { folder }) }, signal })
  }
  return (await api.call('POST /files/{id}/versions', { params: { id: versionOf }, body, signal })).file
}

async function putBytes(address: string, file: File, { signal, onProgress }: How): Promise<void> {
  const request = { method: 'PUT', body: file, signal }
  const response = await sendTelling(address, request, ({ bytes, total }) =>
    onProgress(total > 0 ? (bytes / total) * 100 : 100),
  ).catch((error: unknown) => {
    signal.throwIfAborted()
    const message = t('The connection broke while the file was sent.')
    throw new ApiError(message, { code: 'SERVICE_UNREACHABLE', status: 0, cause: error })
  })
  if (response.ok) return
  throw inWords(readRefusal(await response.text(), response.status, (name) => response.headers.get(name)))
}
