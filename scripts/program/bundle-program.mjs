import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { rolldown } from 'rolldown'
import ts from 'typescript'
import { editPackage, refuseUnedited } from './edited-packages.mjs'
import { programFolder } from './program-folder.mjs'

/** The module by which bundled files know where they stood. */
const placesModule = '\0places'
const placesSource = `import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
const root = join(import.meta.dirname, ${JSON.stringify(relative(programFolder, '.'))})
export const filenameOf = (file) => join(root, file)
export const dirnameOf = (file) => dirname(join(root, file))
export const urlOf = (file) => pathToFileURL(join(root, file)).href
`

/** Packages of many small files that look for nothing beside them. All others are loaded as they were installed. */
const joinedPackages = [
  ...['@fastify/fast-json-stringify-compiler', '@fastify/multipart', '@fastify/static', '@fastify/swagger', 'fastify'],
  ...['@prometheus-io/client', 'ajv', 'ajv-formats', 'commander', 'csv-parse', 'csv-stringify', 'ipaddr.js', 'lean-qr'],
  ...['otpauth', 'pg', 'pino', 'rate-limiter-flexible', 'standardwebhooks', 'typebox', 'ws', 'yaml'],
]

/**
 * @typedef {object} BundledProgram
 * @property {string[]} files of the project that are part of it, relative to its root
 * @property {Map<string, string>} packages of others that it imports, each with a file that does
 */

/**
 * Puts a program of the project together in a few JavaScript files: finding and reading a thousand modules one by one takes most of a
 * start, and their texts and tables stay in memory. What is imported when it is needed stays a file of its own.
 *
 * Nothing but that changes, and what `edited-packages.mjs` lists: each file still reads what lies beside its source
 * (`import.meta.dirname`, `import.meta.url`). A text that names a TypeScript file beside it (a worker, a program started as a process)
 * names the file that was made of it. A comment names the source above each part, so that a stack trace leads there.
 *
 * @param {string} root of the project
 * @param {string} entry relative to it; what is made of it is `main.js`
 * @param {string} target the root of what is made; the program is put into `programFolder` there
 * @param {{ isLeftOut?: (file: string) => boolean }} [options] `isLeftOut`: files that are no part of it; only what is loaded when it
 *   is needed can be
 * @returns {Promise<BundledProgram>}
 * @throws {Error} when a file that is left out is needed
 */
export async function bundleProgram(root, entry, target, { isLeftOut = () => false } = {}) {
  const folders = packageFolders(root)
  /** @type {Map<string, string>} */
  const packages = new Map()
  const files = new Set([entry])
  const installed = new Set()
  const entries = new Map([[entry, 'main.js']])
  /** @param {string} file */
  const nameOf = (file) => {
    const name = entries.get(file) ?? basename(file).replace(/\.ts$/, '.js')
    if (!entries.has(file) && [...entries.values()].includes(name)) throw new Error(`two programs are called ${name}`)
    entries.set(file, name)
    return name
  }

  const bundle = await rolldown({
    input: { main: join(root, entry) },
    cwd: root,
    platform: 'node',
    logLevel: 'silent',
    tsconfig: false,
    plugins: [
      {
        name: 'printyard',
        resolveId(text, importer, { kind }) {
          if (text === placesModule) return placesModule
          if (importer === undefined || text.startsWith('node:')) return undefined
          const from = relative(root, importer)
          if (isInstalled(from)) return undefined
          const reached = mainFileOf(root, folders.get(text)) ?? reachedBy(root, folders, from, text)
          if (reached === undefined) {
            if (text.startsWith('.') || text.startsWith('/')) return undefined
            const name = nameOfPackage(text)
            if (!packages.has(name)) packages.set(name, from)
            return joinedPackages.includes(name) ? undefined : { id: text, external: true }
          }
          if (!isLeftOut(reached)) {
            files.add(reached)
            return join(root, reached)
          }
          if (kind !== 'dynamic-import') throw new Error(`${from} needs ${reached}, which is left out`)
          return { id: `./left-out/${basename(reached)}`, external: true }
        },
        load: (id) => (id === placesModule ? placesSource : undefined),
        transform(code, id) {
          const file = relative(root, id)
          if (isInstalled(file)) {
            installed.add(file)
            return editPackage(file, code)
          }
          if (!file.endsWith('.ts')) return undefined
          const changed = code.replace(/\bimport\.meta\.(url|dirname|filename)\b/g, (_, what) => {
            return `placesOfSources.${what}Of(${JSON.stringify(file)})`
          })
          const replaced = replaceTexts(file, changed, (text) => {
            const reached = reachedBy(root, folders, file, text)
            if (reached === undefined || !reached.endsWith('.ts') || isLeftOut(reached)) return undefined
            files.add(reached)
            if (!entries.has(reached)) {
              this.emitFile({ type: 'chunk', id: join(root, reached), fileName: nameOf(reached) })
            }
            return relative(dirname(file), join(programFolder, nameOf(reached)))
          })
          if (changed === code && replaced === code) return undefined
          return changed === code
            ? replaced
            : `import * as placesOfSources from ${JSON.stringify(placesModule)};${replaced}`
        },
      },
    ],
  })
  try {
    const { output } = await bundle.generate({
      format: 'esm',
      entryFileNames: '[name].js',
      chunkFileNames: '[name]-[hash].js',
      comments: false,
      // Errors are shown by the names of their classes.
      keepNames: true,
    })
    refuseUnedited(installed)
    const folder = join(target, programFolder)
    mkdirSync(folder, { recursive: true })
    for (const part of output) {
      if (part.type === 'chunk') writeFileSync(join(folder, part.fileName), escapeWide(part.code))
      else throw new Error(`${part.fileName} is no JavaScript`)
    }
  } finally {
    await bundle.close()
  }
  return { files: [...files].sort(), packages }
}

/**
 * A text with one character beyond ASCII takes two bytes for each of its characters in memory. Outside of texts and patterns, where an
 * escape means the same, the sources have none.
 *
 * @param {string} code
 */
function escapeWide(code) {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII is one byte
  return code.replace(/[^\u0000-\u007f]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/**
 * @param {string} file
 * @param {string} source
 * @param {(text: string) => string | undefined} replacementOf what stands in the place of a text that is no import
 */
function replaceTexts(file, source, replacementOf) {
  if (!source.includes('.ts')) return source
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.ESNext, true)
  /** @type {{ start: number, end: number, text: string }[]} */
  const edits = []
  /** @param {ts.Node} node */
  const visit = (node) => {
    if (ts.isTypeNode(node) && !ts.isExpressionWithTypeArguments(node)) return
    if (ts.isStringLiteral(node) && !isImport(node)) {
      const replacement = replacementOf(node.text)
      if (replacement !== undefined) edits.push({ start: node.getStart(), end: node.end, text: `'${replacement}'` })
    }
    ts.forEachChild(node, visit)
  }
  visit(tree)
  let edited = source
  for (const { start, end, text } of edits.reverse()) edited = edited.slice(0, start) + text + edited.slice(end)
  return edited
}

/** @param {ts.StringLiteral} node */
function isImport({ parent }) {
  if (ts.isImportDeclaration(parent) || ts.isExportDeclaration(parent)) return true
  return ts.isCallExpression(parent) && parent.expression.kind === ts.SyntaxKind.ImportKeyword
}

/** @param {string} file relative to the root */
function isInstalled(file) {
  return file.startsWith('..') || file.includes('node_modules/')
}

/**
 * @param {string} root
 * @param {Map<string, string>} folders
 * @param {string} file
 * @param {string} text
 * @returns {string | undefined} the file of the project that the text leads to
 */
function reachedBy(root, folders, file, text) {
  const name = nameOfPackage(text)
  const folder = folders.get(name)
  if (folder !== undefined && text.length > name.length) return `${folder}/src/${text.slice(name.length + 1)}.ts`
  if (!/^[\w./-]+\.(ts|json)$/.test(text)) return undefined
  const path = join(dirname(file), text)
  // A JSON file is part of the program only where it is imported, which begins with a dot.
  if (text.endsWith('.json') && !text.startsWith('.')) return undefined
  return !path.startsWith('..') && existsSync(join(root, path)) ? path : undefined
}

/**
 * What a package of the project exports by its name alone.
 *
 * @param {string} root
 * @param {string | undefined} folder
 * @returns {string | undefined}
 */
function mainFileOf(root, folder) {
  if (folder === undefined) return undefined
  const { exports } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'))
  return typeof exports?.['.'] === 'string' ? join(folder, exports['.']) : undefined
}

/** @param {string} specifier */
function nameOfPackage(specifier) {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')
}

/**
 * The project's own packages, by name.
 *
 * @param {string} root
 * @returns {Map<string, string>} folders relative to the root
 */
function packageFolders(root) {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  return new Map(
    Object.entries(lock.packages).flatMap(([folder, { name }]) =>
      folder !== '' && !folder.startsWith('node_modules/') && name !== undefined ? [[name, folder]] : [],
    ),
  )
}
