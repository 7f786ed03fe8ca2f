import { openAsBlob } from 'node:fs'
import { basename } from 'node:path'
import type { Printyard } from '@printyard/sdk/client'
import type { PrintFileDetail } from '@printyard/sdk/generated/api.generated'
import { type Answer, note } from '../answer.ts'
import { CommandError } from '../command-error.ts'
import { type RemoteOptions, withServer } from './connection.ts'
import { type ListOptions, pageOf, readRows } from './listing.ts'
import { formatFiles } from './tables.ts'

export interface ListFilesOptions extends ListOptions {
  search?: string
}

export async function listFiles(options: ListFilesOptions): Promise<Answer> {
  const query = { ...pageOf(options), ...(options.search !== undefined && { search: options.search }) }
  const files = await withServer(options, (printyard) => readRows(printyard.files.list(query), options))
  return { document: files, text: formatFiles(files) }
}

/** Uploads files one after the other. The ID of each is told when it is there, so that a failure of a later one hides none. */
export async function pushFiles(paths: readonly string[], options: RemoteOptions): Promise<Answer> {
  const files = await withServer(options, async (printyard) => {
    const pushed: PrintFileDetail[] = []
    for (const path of paths) {
      const file = await uploadFile(printyard, path)
      note(`Uploaded ${path} as ${file.id}.`)
      pushed.push(file)
    }
    return pushed
  })
  return { document: files, text: formatFiles(files) }
}

/** Uploads a file of this machine, read while it is sent. */
export async function uploadFile(printyard: Printyard, path: string): Promise<PrintFileDetail> {
  const content = await openAsBlob(path).catch((error: Error) => {
    throw new CommandError(`${path} cannot be read: ${error.message}.`, 2, { cause: error })
  })
  return printyard.files.upload(content, { filename: basename(path) })
}
