import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { fileBody, formBody } from './file-body.ts'
import { createPrinterHttp, type PrinterHttp } from './printer-http.ts'

const MEGABYTE = 1024 * 1024
let server: Server
let http: PrinterHttp
let folder: string
let path: string
let answer: (request: IncomingMessage, response: ServerResponse) => void

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'printyard-http-'))
  path = join(folder, 'cube.gcode')
  server = createServer((request, response) => answer(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  http = createPrinterHttp(new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`), {
    'x-api-key': 'key',
  })
})
afterEach(async () => {
  server.closeAllConnections()
  await new Promise<void>((resolve) => server.close(() => resolve()))
  rmSync(folder, { recursive: true })
})

const question = (body: ReturnType<typeof fileBody>, timeoutMs = 20_000) =>
  ({ method: 'POST', path: 'upload', body, timeoutMs, signal: AbortSignal.timeout(60_000) }) as const

test('a form arrives as its fields and its file, under the name that it was given', async () => {
  const content = Buffer.alloc(3 * MEGABYTE, 'G1 X10\n')
  writeFileSync(path, content)
  answer = async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const headers = { 'content-type': request.headers['content-type'] ?? '' }
    const form = await new Response(Buffer.concat(parts), { headers }).formData()
    const file = form.get('file') as File
    const isSame = Buffer.from(await file.arrayBuffer()).equals(content)
    const { 'x-api-key': key, 'content-length': length } = request.headers
    response.end(JSON.stringify({ root: form.get('root'), name: file.name, isSame, key, length: Number(length) }))
  }
  const body = formBody(
    { root: 'gcodes' },
    { field: 'file', fileName: 'Würfel 1.gcode', path, sizeBytes: content.length },
  )
  const { json } = await http.ask(question(body))
  expect(json).toEqual({ root: 'gcodes', name: 'Würfel 1.gcode', isSame: true, key: 'key', length: body.totalBytes })
})

test('a part of a file is sent as that part', async () => {
  writeFileSync(path, '0123456789')
  answer = (request, response) => void request.pipe(response)
  expect((await http.ask(question(fileBody({ path, startByte: 3, sizeBytes: 4 })))).text).toBe('3456')
})

test('an upload that breaks off while its file changes is an error of that upload and of nothing else', async () => {
  writeFileSync(path, Buffer.alloc(20 * MEGABYTE))
  answer = (request) => void request.once('data', () => request.destroy())
  const broken = http.ask(question(fileBody({ path, sizeBytes: 20 * MEGABYTE })))
  await expect(broken).rejects.toMatchObject({ code: 'NO_ANSWER' })
  // Anyone who still read the file would find another one now; a rejection that no one catches fails this run.
  writeFileSync(path, 'another one')
  answer = (_request, response) => void response.end('well')
  expect((await http.ask({ ...question(fileBody({ path, sizeBytes: 11 })) })).text).toBe('well')
})

test('a file that became shorter is not sent as if it were whole', async () => {
  writeFileSync(path, Buffer.alloc(MEGABYTE))
  answer = (request, response) => void request.resume().on('end', () => response.end('whole'))
  const broken = http.ask(question(fileBody({ path, sizeBytes: 2 * MEGABYTE })))
  await expect(broken).rejects.toMatchObject({ code: 'UPLOAD_BROKEN' })
})

test('a refusal before everything was sent is the answer', async () => {
  writeFileSync(path, Buffer.alloc(MEGABYTE))
  answer = (request, response) => {
    request.resume()
    response.writeHead(403).end('no')
  }
  expect(await http.ask(question(fileBody({ path, sizeBytes: MEGABYTE })))).toMatchObject({ status: 403, text: 'no' })
})

test('a printer that takes the file and never answers is told as silence', async () => {
  writeFileSync(path, 'G28')
  answer = (request) => void request.resume()
  await expect(http.ask(question(fileBody({ path, sizeBytes: 3 }), 300))).rejects.toMatchObject({
    code: 'NO_ANSWER',
    message: 'no answer within 300 ms',
  })
})

test('a printer that stops reading is given up long before the time that the size of the file allows', async () => {
  writeFileSync(path, Buffer.alloc(40 * MEGABYTE))
  answer = (request) => void request.once('data', () => request.pause())
  const stalled = http.ask({ ...question(fileBody({ path, sizeBytes: 40 * MEGABYTE })), stallMs: 300 })
  await expect(stalled).rejects.toMatchObject({ code: 'NO_ANSWER', message: expect.stringContaining('took nothing') })
})

test('a slow reader is not given up as long as it takes something', async () => {
  writeFileSync(path, Buffer.alloc(20 * MEGABYTE))
  answer = async (request, response) => {
    for (let stops = 0; stops < 8; stops += 1) {
      await new Promise((resolve) => request.once('data', resolve))
      request.pause()
      await new Promise((resolve) => setTimeout(resolve, 60))
      request.resume()
    }
    request.resume().on('end', () => response.end('whole'))
  }
  const slow = http.ask({ ...question(fileBody({ path, sizeBytes: 20 * MEGABYTE })), stallMs: 2_000 })
  expect((await slow).text).toBe('whole')
})
