import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import ts from 'typescript'
import { eventText } from '../lib/words/event-words.ts'

const root = join(import.meta.dirname, '..')

/** A text that the code gives to the library. */
export interface SourceText {
  /** As catalogues name it: the text, after its context where it has one. */
  key: string
  text: string
  /** Of the first file that says it; `common` when several areas do. */
  area: string
  isRich: boolean
}

/** A text that stands in the code without the library: `features/jobs/queue.tsx:12` and what it says. */
export interface LooseText {
  file: string
  line: number
  text: string
}

/** Areas that share a catalogue with another. */
const areaOf: Readonly<Record<string, string>> = {
  'sign-in': 'session',
  'add-printer': 'printers',
  costs: 'reports',
  failures: 'jobs',
  scan: 'labels',
  skus: 'products',
}

/** All files of the dashboard that are shipped with it, parsed. */
function sourceFiles(): ts.SourceFile[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$|\.generated\.|\.d\.ts$/.test(name))
    .filter((name) => !/^(test|worker)\/|^lib\/i18n\/|^lib\/api\/(generate-api-schema|api-schema-text)\.ts$/.test(name))
    .sort()
    .map((name) => {
      const path = join(root, name)
      return ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true)
    })
}

/** What the library is given, each text once, in the order of files; and what is said without it. */
export function readSources(): { texts: SourceText[]; loose: LooseText[] } {
  const texts = new Map<string, SourceText>()
  const loose: LooseText[] = []
  for (const file of sourceFiles()) {
    const name = relative(root, file.fileName)
    const folder = /^(?:features|app\/routes)\/([^/.]+)\//.exec(name)?.[1]
    const area = folder === undefined ? 'common' : (areaOf[folder] ?? folder)
    readFile(file, {
      onText: (context, text, isRich) => {
        const key = context === undefined ? text : `${context}|${text}`
        const known = texts.get(key)
        if (known && known.area !== area) known.area = 'common'
        if (known && isRich) known.isRich = true
        if (!known) texts.set(key, { key, text, area, isRich })
      },
      onLoose: (node, text) =>
        loose.push({ file: name, line: file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1, text }),
    })
  }
  const ofService = { errors: errorSentences(), events: eventTexts(), service: serviceTexts() }
  for (const [area, said] of Object.entries(ofService))
    for (const text of said) texts.set(text, { key: text, text, area, isRich: false })
  return { texts: [...texts.values()], loose }
}

/** What the service says of errors, by the catalogue of their codes: `Only {available} left: not enough for this.` */
function errorSentences(): string[] {
  const catalogue = readFileSync(join(root, '../../server/src/kernel/errors.ts'), 'utf8')
  const found = [...catalogue.matchAll(/^ {2}[A-Z_]+: \[\s*\d{3},\s*(?:'([^']+)'|"([^"]+)")/gm)].map(
    ([, one, other]) => one ?? other ?? '',
  )
  if (found.length < 90) throw new Error('the catalogue of errors is written in another way')
  return [...new Set(found)]
}

/** Types of events in words: `Job queued`. */
function eventTexts(): string[] {
  const catalogue = readFileSync(join(root, '../../server/src/modules/events/event-catalogue.ts'), 'utf8')
  const types = [...catalogue.matchAll(/^ {2}'([a-z_]+\.[a-z_]+)':/gm)].map(([, type = '']) => type)
  if (types.length < 150) throw new Error('the catalogue of events is written in another way')
  return types.map(eventText)
}

/**
 * What else the service says to people: why a job waits, titles of tasks, what is wrong with a printer. The German catalogue is the list;
 * `service-sentence.test.ts` compares it with what the service has.
 */
function serviceTexts(): string[] {
  return Object.keys(JSON.parse(readFileSync(join(root, 'lib/i18n/de/service.json'), 'utf8')) as object)
}

interface Found {
  onText: (context: string | undefined, text: string, isRich: boolean) => void
  onLoose: (node: ts.Node, text: string) => void
}

function readFile(file: ts.SourceFile, { onText, onLoose }: Found): void {
  const literal = (node: ts.Node | undefined, from: ts.Node): string => {
    if (node && ts.isStringLiteralLike(node)) return node.text
    onLoose(from, 'a text that is no literal is not found by the catalogues')
    return ''
  }
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && ts.isIdentifier(node.expression) && /^tc?$/.test(node.expression.text)) {
      const isInContext = node.expression.text === 'tc'
      const [first, second, third] = node.arguments
      if (isInContext) onText(literal(first, node), literal(second, node), false)
      else onText(undefined, literal(first, node), false)
      const values = isInContext ? third : second
      if (values) visit(values)
      return
    }
    if (ts.isJsxAttribute(node) && isAttributeOf(node, 'Rich', 'text')) {
      const given = node.initializer
      const value = given && ts.isJsxExpression(given) ? given.expression : given
      onText(undefined, literal(value, node), true)
      return
    }
    const text = looseText(node)
    if (text !== undefined) onLoose(node, text)
    if (ts.isImportDeclaration(node) || ts.isTypeNode(node)) return
    ts.forEachChild(node, visit)
  }
  visit(file)
}

function isAttributeOf(node: ts.JsxAttribute, tag: string, name: string): boolean {
  const element = node.parent.parent
  return node.name.getText() === name && !ts.isJsxElement(element) && element.tagName.getText() === tag
}

/** Attributes and fields whose texts are never read by people. */
const mute = new Set(
  (
    'className style id key href to path src type name size variant color c as icon tone fw ff fz p px py pt pb m mx my mt mb gap justify align ' +
    'wrap maxLength autoComplete autoCapitalize inputMode enterKeyHint role target rel pattern d viewBox shapeRendering fillRule ' +
    'underline clampBehavior decoding listStyleType defaultColorScheme containerWidth yOffset inputWrapperOrder download ' +
    'queryKey mutationKey gridTemplateColumns gridTemplateRows gridTemplateAreas gridColumn gridRow transition transform background ' +
    'border borderTop fontFamily accept method redirect credentials cache mode aria-live aria-haspopup aria-keyshortcuts aria-current ' +
    'sizes media encType timeZone locale unit kind status action command attributeFilter'
  ).split(' '),
)

/** Calls that take names of things and no texts for people. */
const muteCalls =
  /(^|\.)(querySelector(All)?|addEventListener|removeEventListener|matchMedia|split|startsWith|endsWith|includes|replace(All)?|indexOf|join|getItem|setItem|removeItem|createElement|setAttribute|getAttribute|toggleAttribute|closest|matches|lazyPage|call|paged|DateTimeFormat|NumberFormat|getPropertyValue|setProperty|warn|append|CustomEvent|getContext|execCommand|RegExp|getInputProps|useHotkeys|localeCompare|register|postMessage|run|useActions|useChange)$/

/** What a node says to people without the library; undefined for what says nothing, as far as its form tells. */
function looseText(node: ts.Node): string | undefined {
  if (ts.isJsxText(node)) return /\p{L}{2}/u.test(node.text) ? node.text.trim() : undefined
  const isTemplate = ts.isTemplateExpression(node)
  if (!isTemplate && !ts.isStringLiteralLike(node)) return undefined
  const text = textOf(node)
  if (!/[A-Za-z]{2}/.test(text)) return undefined
  const place = placeOf(node)
  if (place === 'mute') return undefined
  if (place === 'child') return text
  if (place === 'label') return text
  if (isInPlaceOfText(node)) return text
  return readsAsText(text, isTemplate) ? text : undefined
}

/** The text of a literal, with a sign for each value in it. */
function textOf(node: ts.Node): string {
  if (ts.isTemplateExpression(node))
    return [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join('…')
  return ts.isStringLiteralLike(node) ? node.text : ''
}

/** Attributes that people always read. */
const labels =
  /^(label|title|placeholder|description|alt|legend|confirmLabel|summary|aria-(label|description|valuetext|roledescription))$/

/** Where a text stands: where no one reads it, where everybody does, or elsewhere. */
function placeOf(node: ts.Node): 'mute' | 'child' | 'label' | 'other' {
  let from: ts.Node = node
  for (let up = node.parent; up; from = up, up = up.parent) {
    if (ts.isConditionalExpression(up)) {
      if (up.condition === from) return 'mute'
    } else if (ts.isBinaryExpression(up)) {
      if (/^[!=<>]|^in$/.test(up.operatorToken.getText())) return 'mute'
    } else if (ts.isJsxAttribute(up)) {
      const name = up.name.getText()
      // A name is that of an icon or a field, but for one that is put together of words.
      if (name === 'name' && ts.isTemplateExpression(node)) return 'other'
      if (mute.has(name) || /^(data-|on[A-Z])/.test(name)) return 'mute'
      return labels.test(name) ? 'label' : 'other'
    } else if (ts.isJsxExpression(up)) {
      if (!ts.isJsxAttribute(up.parent)) return 'child'
    } else if (ts.isPropertyAssignment(up)) {
      if (up.name === from || mute.has(up.name.getText())) return 'mute'
      return labels.test(up.name.getText()) ? 'label' : 'other'
    } else if (ts.isCallExpression(up) || ts.isNewExpression(up)) {
      const called = up.expression.getText()
      // What joins texts is read between them.
      if (called.endsWith('.join')) return /^ .*\p{L}.* $/u.test(textOf(node)) ? 'label' : 'mute'
      return muteCalls.test(called) ? 'mute' : 'other'
    } else if (ts.isElementAccessExpression(up) || ts.isCaseClause(up) || ts.isLiteralTypeNode(up)) return 'mute'
    else if (ts.isTaggedTemplateExpression(up) || ts.isImportDeclaration(up) || ts.isExportDeclaration(up))
      return 'mute'
    else if (!ts.isParenthesizedExpression(up) && !ts.isAsExpression(up) && !ts.isArrayLiteralExpression(up))
      return 'other'
  }
  return 'other'
}

/** Whether it is said where else a text of the library is: `count === 2 ? 'both' : t('all {count}', { count })`. */
function isInPlaceOfText(node: ts.Node): boolean {
  const { parent } = node
  if (!ts.isConditionalExpression(parent) || parent.condition === node) return false
  return usesLibrary(parent.whenTrue === node ? parent.whenFalse : parent.whenTrue)
}

function usesLibrary(node: ts.Node): boolean {
  const isCall = ts.isCallExpression(node) && ts.isIdentifier(node.expression) && /^tc?$/.test(node.expression.text)
  return isCall || ts.forEachChild(node, usesLibrary) === true
}

/** Several words, or one that begins with a capital letter as only sentences and names do. */
function readsAsText(text: string, isTemplate: boolean): boolean {
  if (
    /^(GET|POST|PUT|PATCH|DELETE) \/|^https?:\S*$|^[\w-]+\/[\w.+*-]+$|^[/?#;]|^(var|calc|rgb|M)\b|\d(rem|px|fr|vh|svh)\b/.test(
      text,
    )
  )
    return false
  if (isTemplate && !/\s/.test(text) && !/^[A-Z][a-z]/.test(text)) return false
  return /[\p{L},.:;)0-9”’…] +[\p{L}“(…]/u.test(text) || /^[A-Z][a-z]+([ ,.:!?…’–-]|$)/.test(text)
}
