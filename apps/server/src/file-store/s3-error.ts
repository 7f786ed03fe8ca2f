import { AppError } from '../kernel/errors.ts'

/** What an S3 store answered instead of doing what it was asked for. */
export class S3Error extends Error {
  readonly status: number
  /** Its own word for it, such as `NoSuchKey`; empty when it gave none. */
  readonly code: string

  constructor(status: number, code: string, message: string) {
    super(`The S3 store answers ${status} ${code}: ${message}`)
    this.name = 'S3Error'
    this.status = status
    this.code = code
  }

  /** True when the same request may well succeed in a moment. */
  get isPassing(): boolean {
    // What a store cannot do at all, it cannot do in a moment either.
    if (this.status === 501) return false
    return this.status === 429 || this.status >= 500 || this.code === 'RequestTimeout' || this.code === 'SlowDown'
  }
}

/** What the store says about keys, bucket and clock, as a sentence for the person who set it up. */
const whyByCode: Record<string, string> = {
  InvalidAccessKeyId: 'the file store does not know the access key of the service',
  SignatureDoesNotMatch: 'the file store refuses the secret access key of the service',
  AccessDenied: 'the file store refuses the service what it needs to do there',
  NoSuchBucket: 'the bucket of the file store does not exist',
  RequestTimeTooSkewed: 'the clocks of the service and of the file store differ too much',
  AuthorizationHeaderMalformed: 'the file store is in another region than the service was told',
  PermanentRedirect: 'the bucket of the file store is at another address',
}

const fullCodes = new Set(['QuotaExceeded', 'XMinioStorageFull', 'InsufficientStorage', 'StorageFull'])

/** The failure of a request that needed the file store. What is no failure of the store is given back as it is. */
export function asUnavailable(error: unknown): unknown {
  if (error instanceof AppError) return error
  if (error instanceof S3Error) {
    if (fullCodes.has(error.code) || error.status === 507) {
      return new AppError('STORAGE_FULL', {}, { cause: error, retryAfterSeconds: 60 })
    }
    const why =
      whyByCode[error.code] ??
      (error.status === 404
        ? 'the stored file cannot be read'
        : error.status === 403
          ? 'the file store refuses the keys of the service'
          : 'the file store cannot do its work')
    return new AppError('SERVICE_UNAVAILABLE', { why }, { cause: error, retryAfterSeconds: 10 })
  }
  const { code = '' } = error as NodeJS.ErrnoException
  const why = unreachable.test(code)
    ? 'the file store does not answer'
    : untrusted.test(code)
      ? 'the certificate of the file store is not trusted'
      : undefined
  if (why === undefined) return error
  return new AppError('SERVICE_UNAVAILABLE', { why }, { cause: error, retryAfterSeconds: 10 })
}

/** Failures of a connection, as Node names them. */
const unreachable = /^(ECONN|ETIMEDOUT|ENOTFOUND|EAI_|EPIPE|EHOST|ENET|EPROTO|HPE_|ERR_STREAM_PREMATURE_CLOSE)/
const untrusted = /CERT|UNABLE_TO_VERIFY/
