import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { dirname, join, relative } from 'node:path'
import ts from 'typescript'

/**
 * @typedef {object} CompiledProgram
 * @property {string[]} files of the project that are part of it, relative to its root
 * @property {Map<string, string>} packages of others that it imports, each with a file that does
 */

/**
 * Compiles a program of the project: the files that its entries reach, and nothing else. Types are stripped as Node does it when it
 * runs the sources, so lines in a stack trace are those of the sources. Packages of the project are reached by relative paths.
 *
 * A text that names a TypeScript file beside it counts as a way to that file too: a worker, or a program started as a process.
 *
 * @param {string} root of the project
 * @param {string[]} entries relative to it
 * @param {string} target folder for the JavaScript, laid out as the sources are
 * @param {{ isLeftOut?: (file: string) => boolean }} [options] `isLeftOut`: files that are no part of it; only what is loaded when it
 *   is needed can be
 * @returns {CompiledProgram}
 * @throws {Error} when a file that is left out is needed
 */
export function compileProgram(root, entries, target, { isLeftOut = () => false } = {}) {
  const folders = packageFolders(root)
  const found = new Set(entries)
  /** @type {Map<string, string>} */
  const packages = new Map()
  for (const file of found) {
    const source = readFileSync(join(root, file), 'utf8')
    /** @param {string} text @param {'import' | 'later import' | 'text'} kind */
    const replacementOf = (text, kind) => {
      const isImport = kind !== 'text'
      const reached = (isImport && mainFileOf(root, folders.get(text))) || reachedBy(root, folders, file, text)
      if (reached === undefined) {
        if (isImport && !/^(node:|\.)/.test(text)) packages.set(nameOfPackage(text), file)
        return undefined
      }
      if (!isLeftOut(reached)) found.add(reached)
      else if (kind === 'import') throw new Error(`${file} needs ${reached}, which is left out`)
      const path = relative(dirname(file), reached).replace(/\.ts$/, '.js')
      return text.startsWith('.') || isImport ? (path.startsWith('.') ? path : `./${path}`) : path
    }
    const out = join(target, file)
    mkdirSync(dirname(out), { recursive: true })
    if (!file.endsWith('.ts')) writeFileSync(out, source)
    else writeFileSync(out.replace(/\.ts$/, '.js'), compileFile(file, source, replacementOf))
  }
  return { files: [...found].sort(), packages }
}

/**
 * @param {string} file
 * @param {string} source
 * @param {(text: string, kind: 'import' | 'later import' | 'text') => string | undefined} replacementOf what stands in the place of a text
 */
function compileFile(file, source, replacementOf) {
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.ESNext, true)
  /** @type {{ start: number, end: number, text: string }[]} */
  const edits = []
  /** @param {ts.Node} node */
  const visit = (node) => {
    if ((ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) && isTypeOnly(node)) return
    if (ts.isTypeNode(node) && !ts.isExpressionWithTypeArguments(node)) return
    if (ts.isStringLiteral(node)) {
      const replacement = replacementOf(node.text, kindOf(node))
      if (replacement !== undefined) edits.push({ start: node.getStart(), end: node.end, text: `'${replacement}'` })
    }
    ts.forEachChild(node, visit)
  }
  visit(tree)
  let edited = source
  for (const { start, end, text } of edits.reverse()) edited = edited.slice(0, start) + text + edited.slice(end)
  return stripTypeScriptTypes(edited)
}

/** @param {ts.ImportDeclaration | ts.ExportDeclaration} node */
function isTypeOnly(node) {
  if (ts.isExportDeclaration(node)) return node.isTypeOnly
  return node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword
}

/** @param {ts.StringLiteral} node */
function kindOf({ parent }) {
  if (ts.isImportDeclaration(parent) || ts.isExportDeclaration(parent)) return 'import'
  const isCall = ts.isCallExpression(parent) && parent.expression.kind === ts.SyntaxKind.ImportKeyword
  return isCall ? 'later import' : 'text'
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
