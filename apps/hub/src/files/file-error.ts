import { CodedError } from '../util/coded-error.ts'

/**
 * Reason why a file is not there. `FILE_CORRUPT`: its bytes are not those of its hash. `FILE_UNAVAILABLE`: the service does not
 * give it, or could not be reached for too long. `FILE_STORE_FAILED`: the hub's own disk does not take it.
 */
type FileErrorCode = 'FILE_CORRUPT' | 'FILE_UNAVAILABLE' | 'FILE_STORE_FAILED'

export class FileError extends CodedError<FileErrorCode> {}
