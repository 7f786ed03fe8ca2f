// Printed from the API description by packages/sdk/generator/generate-sdk.ts; changes are lost.
import type * as api from '../generated/api.generated.ts'
import type { Body, Call, Connection, List, Query, RequestOptions } from '../request.ts'

/** Operations on files. */
export class FilesOperations {
  protected readonly connection: Connection

  constructor(connection: Connection) {
    this.connection = connection
  }

  /**
   * List print files.
   *
   * Each with the facts of its current version: print time in s, filament in g and m, model and nozzle in mm.
   *
   * Scope: `read`. Least role: `viewer`.
   *
   * Operation: `listFiles`.
   */
  list(query?: Query<api.ListFilesData>, options?: RequestOptions): List<api.ListFilesResponses[200]> {
    return this.connection.list({ method: 'GET', path: '/public/v1/files', query, options })
  }

  /**
   * Add a print file that was uploaded.
   *
   * The file is read for the data of the slicer on time, filament and printer. A file that is damaged or no print file is refused.
   *
   * Scope: `write`. Least role: `operator`.
   *
   * Operation: `createFile`.
   */
  create(body: Body<api.CreateFileData>, options?: RequestOptions): Call<api.CreateFileResponses[201]> {
    return this.connection.call({ method: 'POST', path: '/public/v1/files', json: body, options })
  }

  /**
   * List the folders of the library.
   *
   * Each with the number of files directly in it. A folder exists while a file is in it, or in one below it.
   *
   * Scope: `read`. Least role: `viewer`.
   *
   * Operation: `listFileFolders`.
   */
  listFolders(options?: RequestOptions): Call<api.ListFileFoldersResponses[200]> {
    return this.connection.call({ method: 'GET', path: '/public/v1/files/folders', options })
  }

  /**
   * List the tags of all print files.
   *
   * Each with its number of files.
   *
   * Scope: `read`. Least role: `viewer`.
   *
   * Operation: `listFileTags`.
   */
  listTags(options?: RequestOptions): Call<api.ListFileTagsResponses[200]> {
    return this.connection.call({ method: 'GET', path: '/public/v1/files/tags', options })
  }

  /**
   * Create an upload address for a print file.
   *
   * PUT the bytes to `upload_url` within an hour, then give the token to POST /files.
   *
   * Scope: `write`. Least role: `operator`.
   *
   * Operation: `createUploadUrl`.
   */
  createUploadUrl(body: Body<api.CreateUploadUrlData>, options?: RequestOptions): Call<api.CreateUploadUrlResponses[201]> {
    return this.connection.call({ method: 'POST', path: '/public/v1/files/upload-url', json: body, options })
  }

  /**
   * Upload the bytes of a print file.
   *
   * The raw bytes as the body, of any content type. Sent again before it is used, the new bytes replace the old.
   *
   * Operation: `uploadFile`.
   */
  uploadContent(token: string, body: Blob | Uint8Array<ArrayBuffer>, options?: RequestOptions): Call<api.UploadFileResponses[200]> {
    return this.connection.call({ method: 'PUT', path: `/public/v1/files/upload/${encodeURIComponent(token)}`, bytes: body, options })
  }

  /**
   * Get a print file with its versions.
   *
   * The facts are those of the current version, which new jobs print; the versions come newest first.
   *
   * Scope: `read`. Least role: `viewer`.
   *
   * Operation: `getFile`.
   */
  get(id: string, options?: RequestOptions): Call<api.GetFileResponses[200]> {
    return this.connection.call({ method: 'GET', path: `/public/v1/files/${encodeURIComponent(id)}`, options })
  }

  /**
   * Change the name, product, number of pieces, tags or folder of a print file.
   *
   * Fields that are left out stay as they are. Existing jobs keep the values that they were queued with.
   *
   * Scope: `write`. Least role: `operator`.
   *
   * Operation: `updateFile`.
   */
  update(id: string, body: Body<api.UpdateFileData>, options?: RequestOptions): Call<api.UpdateFileResponses[200]> {
    return this.connection.call({ method: 'PATCH', path: `/public/v1/files/${encodeURIComponent(id)}`, json: body, options })
  }

  /**
   * Delete a print file.
   *
   * Refused while a job that is not finished prints it. Finished jobs keep its name and figures.
   *
   * Scope: `write`. Least role: `operator`.
   *
   * Operation: `deleteFile`.
   */
  delete(id: string, options?: RequestOptions): Call<api.DeleteFileResponses[200]> {
    return this.connection.call({ method: 'DELETE', path: `/public/v1/files/${encodeURIComponent(id)}`, options })
  }

  /**
   * Download the current version of a print file.
   *
   * Takes a single `Range` of bytes. Where the files are in an S3 store that clients reach, the answer is a redirect to a signed URL there.
   *
   * Scope: `read`. Least role: `viewer`.
   *
   * Operation: `getFileContent`.
   */
  getContent(id: string, options?: RequestOptions): Call<Response> {
    return this.connection.receive({ method: 'GET', path: `/public/v1/files/${encodeURIComponent(id)}/content`, options })
  }

  /**
   * Get the thumbnail of a print file.
   *
   * Thumbnail of the current version, as the slicer wrote it: PNG or JPEG. 404 when it wrote none.
   *
   * Scope: `read`. Least role: `viewer`.
   *
   * Operation: `getFileThumbnail`.
   */
  getThumbnail(id: string, options?: RequestOptions): Call<Response> {
    return this.connection.receive({ method: 'GET', path: `/public/v1/files/${encodeURIComponent(id)}/thumbnail`, options })
  }

  /**
   * Get the recipes and jobs that use a print file.
   *
   * The recipes that print it, and how many jobs do or did.
   *
   * Scope: `read`. Least role: `viewer`.
   *
   * Operation: `getFileUses`.
   */
  getUses(id: string, options?: RequestOptions): Call<api.GetFileUsesResponses[200]> {
    return this.connection.call({ method: 'GET', path: `/public/v1/files/${encodeURIComponent(id)}/uses`, options })
  }

  /**
   * Add a version of a print file, which becomes the current one unless told otherwise.
   *
   * Jobs that exist keep the version they were made with.
   *
   * Scope: `write`. Least role: `operator`.
   *
   * Operation: `createFileVersion`.
   */
  createVersion(id: string, body: Body<api.CreateFileVersionData>, options?: RequestOptions): Call<api.CreateFileVersionResponses[201]> {
    return this.connection.call({ method: 'POST', path: `/public/v1/files/${encodeURIComponent(id)}/versions`, json: body, options })
  }

  /**
   * Set the current version of a print file.
   *
   * New jobs print it from now on. Jobs that exist keep the version they were made with.
   *
   * Scope: `write`. Least role: `operator`.
   *
   * Operation: `setCurrentFileVersion`.
   */
  setCurrentVersion(id: string, version: string | number, options?: RequestOptions): Call<api.SetCurrentFileVersionResponses[200]> {
    return this.connection.call({ method: 'PUT', path: `/public/v1/files/${encodeURIComponent(id)}/versions/${encodeURIComponent(version)}/current`, options })
  }
}
