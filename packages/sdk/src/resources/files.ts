import type * as api from '../generated/api.generated.ts'
import type { RequestOptions } from '../request.ts'
import { type UploadDetails, uploadFile } from '../uploads.ts'
import { FilesOperations } from './files.generated.ts'

/** Print files, and their uploads. */
export class Files extends FilesOperations {
  /** Uploads a print file of any size and registers it. */
  upload(
    content: Blob | Uint8Array<ArrayBuffer>,
    details: UploadDetails = {},
    options?: RequestOptions,
  ): Promise<api.PrintFileDetail> {
    return uploadFile(this, content, details, options)
  }
}
