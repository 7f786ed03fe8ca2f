import { asApiError } from '../../lib/api/api-error.ts'

/** What a person can do about a file that was not added. */
type UploadRemedy = 'send_again' | 'choose_another'

/** Nothing is wrong with the file: the way to the service, or its link, did not last until the file was there. */
const brokenOnTheWay = new Set(['UPLOAD_TOKEN_INVALID', 'UPLOAD_INCOMPLETE', 'IDEMPOTENCY_IN_PROGRESS'])

/**
 * What helps after this error; undefined: nothing that is done with files. The very same file helps where the network, the
 * service or its disk was at fault, and after a sign-in; a file that was refused for what it is will be refused again.
 */
export function remedyOf(error: unknown): UploadRemedy | undefined {
  const { code, status } = asApiError(error)
  if (status === 403) return undefined
  const mayPass = status === 0 || status === 401 || status === 408 || status === 429 || status >= 500
  return mayPass || brokenOnTheWay.has(code) ? 'send_again' : 'choose_another'
}
