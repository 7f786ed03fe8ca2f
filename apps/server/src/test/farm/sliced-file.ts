import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { TestAccount, TestApp } from '../app/test-app.ts'

/** A sliced file as a slicer wrote it, without a picture: the service draws one. */
export const slicedFileName = 'shelf-bracket_mk4s_pla.gcode'

/** Its path. */
export const slicedFile = fileURLToPath(new URL(`../../../demo-files/${slicedFileName}`, import.meta.url))

export function readSlicedFile(): Promise<Buffer> {
  return readFile(slicedFile)
}

/** Sends bytes to a new upload address, and answers its token. */
export async function upload(t: TestApp, account: TestAccount, content: Buffer, filename = slicedFileName) {
  const made = await account.request('POST', '/files/upload-url', { filename })
  const { token } = made.json().data as { token: string }
  const put = await putBytes(t, token, content)
  if (put.statusCode !== 200) throw new Error(`The upload was refused: ${put.body}`)
  return token
}

export function putBytes(t: TestApp, token: string, content: Buffer, headers: Record<string, string> = {}) {
  return t.app.inject({ method: 'PUT', url: `/public/v1/files/upload/${token}`, payload: content, headers })
}

/** Uploads a file and adds it; answers its detail. */
export async function addTestFile(t: TestApp, account: TestAccount, content: Buffer, body: object = {}) {
  const token = await upload(t, account, content)
  const added = await account.request('POST', '/files', { upload_token: token, ...body })
  if (added.statusCode !== 201) throw new Error(`The file was refused: ${added.body}`)
  return added.json().data as { id: string; name: string; versions: { id: string; version_number: number }[] }
}
