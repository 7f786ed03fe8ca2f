import type * as api from './generated/api.generated.ts'
import type { RequestOptions } from './request.ts'
import type { FilesOperations } from './resources/files.generated.ts'

/** What to say of a file that is uploaded, besides its bytes. */
export type UploadDetails = Omit<api.CreateFileRequest, 'upload_token'> & {
  /** With its extension, by which its kind is told. Default: the name of a `File`. */
  filename?: string
}

/**
 * Uploads a print file: asks where to, sends the bytes, and registers what was sent. A `Blob` is read while it is sent; of Node's
 * file system `openAsBlob` makes one.
 */
export async function uploadFile(
  files: FilesOperations,
  content: Blob | Uint8Array<ArrayBuffer>,
  { filename, ...details }: UploadDetails,
  options?: RequestOptions,
): Promise<api.PrintFileDetail> {
  const name = filename ?? (content as Partial<File>).name ?? ''
  // A key of the caller is about the whole: of the parts only the last leaves something.
  const { idempotencyKey: _, ...forParts } = options ?? {}
  const { token } = await files.createUploadUrl({ filename: name }, forParts)
  await files.uploadContent(token, content, forParts)
  return files.create({ ...details, upload_token: token }, options)
}
