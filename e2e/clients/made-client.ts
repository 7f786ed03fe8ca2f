import { type ExecFileException, execFile } from 'node:child_process'
import { hash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isPeerThere, peerStampFile, peersFolder } from '../../scripts/pending-peers.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const programs = fileURLToPath(new URL('programs', import.meta.url))

/** A generator and a compiler may take this long on a busy machine. */
const buildMs = 8 * 60_000

/** Clients that no run has used for this long are removed. */
const keptMs = 7 * 24 * 60 * 60_000

/** How a client is run: a command in a folder. */
interface Program {
  command: string
  args: string[]
}

/** A language whose generator makes a client of our API description, with a program of ours that calls it. */
interface Language {
  name: 'go' | 'java' | 'python' | 'typescript'
  /** The peer that brings the generator. */
  peer: string
  build(folder: string, documentFile: string): Promise<void>
  program(folder: string): Program
}

export function isInstalled({ peer }: Language): boolean {
  return isPeerThere(peer)
}

/** The client for a document, generated and compiled. */
export async function makeClient(language: Language, documentFile: string): Promise<string> {
  const sources = join(programs, language.name)
  const program = readdirSync(sources).map((file) => readFileSync(join(sources, file), 'utf8'))
  return keptBuild(language.name, language.peer, [readFileSync(documentFile, 'utf8'), ...program], async (folder) => {
    cpSync(sources, folder, { recursive: true })
    await language.build(folder, documentFile)
  })
}

/** What a build makes of its inputs and a peer, in a folder that is named for them: the next run finds it there. */
export async function keptBuild(
  name: string,
  peer: string,
  inputs: readonly string[],
  build: (folder: string) => Promise<void> | void,
): Promise<string> {
  const stamp = readFileSync(peerStampFile(peer), 'utf8')
  const key = hash('sha256', [stamp, ...inputs].join('\n')).slice(0, 16)
  const clients = join(peersFolder, 'clients')
  mkdirSync(clients, { recursive: true })
  removeOldClients(clients)
  const folder = join(clients, `${name}-${key}`)
  if (existsSync(folder)) return folder
  const fresh = join(clients, `tmp-${name}-${process.pid}`)
  rmSync(fresh, { recursive: true, force: true })
  await build(fresh)
  renameSync(fresh, folder)
  return folder
}

function removeOldClients(clients: string): void {
  for (const name of readdirSync(clients)) {
    const { mtimeMs } = statSync(join(clients, name))
    if (mtimeMs < Date.now() - keptMs) rmSync(join(clients, name), { recursive: true, force: true })
  }
}

interface Output {
  standardOutput: string
  all: string
}

/** @throws Error with the end of what the command printed. */
export function run(
  command: string,
  args: string[],
  cwd: string,
  { env = {}, timeoutMs = buildMs } = {},
): Promise<Output> {
  const options = { cwd, env: { ...process.env, ...env }, timeout: timeoutMs, maxBuffer: 64 * 1024 * 1024 }
  return new Promise((resolve, reject) => {
    execFile(command, args, options, (error: ExecFileException | null, standardOutput, errors) => {
      const all = `${standardOutput}${errors}`
      if (!error) return resolve({ standardOutput, all })
      const why = error.killed ? 'took too long' : `failed with ${error.code ?? error.signal}`
      reject(new Error(`${command} ${args.slice(0, 6).join(' ')} ${why}:\n${all.slice(-4_000)}`, { cause: error }))
    })
  })
}

const goPeer = join(peersFolder, 'client-go')
const javaPeer = join(peersFolder, 'client-java')
const pythonPeer = join(peersFolder, 'openapi-python-client')
const typescriptPeer = join(peersFolder, 'openapi-typescript')

/** What only generators of OpenAPI 3.1 say that could do with less than all of a document. */
const leftOut = /Unable to process schema|Found conflicting|Cannot parse (?:request|parameter)/

export const languages: Language[] = [
  {
    name: 'go',
    peer: 'client-go',
    async build(folder, documentFile) {
      const { go, env } = JSON.parse(readFileSync(join(goPeer, 'go.json'), 'utf8')) as { go: string; env: object }
      for (const name of ['go.mod', 'go.sum']) cpSync(join(goPeer, 'client', name), join(folder, name))
      mkdirSync(join(folder, 'api'))
      const generator = join(goPeer, 'bin/oapi-codegen')
      await run(
        generator,
        ['-generate', 'types,client', '-package', 'api', '-o', 'api/api.gen.go', documentFile],
        folder,
      )
      await run(go, ['build', '-o', 'client', '.'], folder, { env })
    },
    program: (folder) => ({ command: join(folder, 'client'), args: [] }),
  },
  {
    name: 'java',
    peer: 'client-java',
    async build(folder, documentFile) {
      const generator = join(javaPeer, 'openapi-generator-cli.jar')
      const parts = '--global-property=modelTests=false,apiTests=false,modelDocs=false,apiDocs=false'
      await run('java', ['-jar', generator, 'generate', '-g', 'java', '-i', documentFile, '-o', 'made', parts], folder)
      const made = join(folder, 'made/src/main/java')
      const sources = readdirSync(made, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.java'))
      const files = [join(folder, 'Main.java'), ...sources.map((name) => join(made, name))]
      const libraries = join(javaPeer, 'lib/*')
      await run(
        'javac',
        ['-proc:none', '-nowarn', '-encoding', 'UTF-8', '-cp', libraries, '-d', 'classes', ...files],
        folder,
      )
    },
    program: (folder) => ({
      command: 'java',
      args: ['-cp', [join(folder, 'classes'), join(javaPeer, 'lib/*')].join(delimiter), 'Main'],
    }),
  },
  {
    name: 'python',
    peer: 'openapi-python-client',
    async build(folder, documentFile) {
      const bin = join(pythonPeer, 'bin')
      const args = ['generate', '--path', documentFile, '--output-path', 'client', '--meta', 'none']
      const env = { PATH: `${bin}${delimiter}${process.env.PATH}` }
      const { all } = await run(join(bin, 'openapi-python-client'), args, folder, { env })
      if (leftOut.test(all)) throw new Error(`openapi-python-client left something out:\n${all.slice(0, 4_000)}`)
      await run(join(bin, 'python'), ['-m', 'compileall', '-q', 'client'], folder)
    },
    program: (folder) => ({ command: join(pythonPeer, 'bin/python'), args: [join(folder, 'main.py')] }),
  },
  {
    name: 'typescript',
    peer: 'openapi-typescript',
    async build(folder, documentFile) {
      const modules = join(typescriptPeer, 'node_modules')
      symlinkSync(modules, join(folder, 'node_modules'))
      await run(
        process.execPath,
        [
          join(modules, 'openapi-typescript/bin/cli.js'),
          documentFile,
          '-o',
          'schema.d.ts',
          '--default-non-nullable=false',
        ],
        folder,
      )
      const options = ['--strict', '--target', 'es2022', '--module', 'nodenext', '--skipLibCheck', '--types', 'node']
      const types = ['--typeRoots', join(root, 'node_modules/@types')]
      await run(process.execPath, [join(modules, 'typescript/bin/tsc'), ...options, ...types, 'main.mts'], folder)
    },
    program: (folder) => ({ command: process.execPath, args: [join(folder, 'main.mjs')] }),
  },
]

/** Runs a client to its end; answers what it printed. */
export async function runClient(language: Language, folder: string, env: Record<string, string>): Promise<unknown> {
  const { command, args } = language.program(folder)
  const { standardOutput } = await run(command, args, folder, { env, timeoutMs: 60_000 })
  return JSON.parse(standardOutput)
}
