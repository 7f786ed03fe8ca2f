import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ApiError, fieldMessages } from '../api/api-error.ts'
import { catalogue, sentences } from './de/catalogue.ts'
import { takeCatalogue } from './messages.ts'
import { serviceSentence } from './service-sentence.ts'

const root = join(import.meta.dirname, '../../../../..')
const modules = 'apps/server/src/modules'

/** Where the service has sentences for people, with the properties and calls that they are given to. */
const sources: Readonly<Record<string, RegExp>> = {
  [`${modules}/matching/rules.ts`]: /^(asks|fails|notKnown)$/,
  [`${modules}/promises/shown/promise.schema.ts`]: /^sentences$/,
  [`${modules}/jobs/plates/plate.ts`]: /^(title|titleOf)$/,
  [`${modules}/jobs/plates/maintenance-due.ts`]: /^(title|description)$/,
  [`${modules}/jobs/product/name-product.ts`]: /^(title|subtitle)$/,
  [`${modules}/jobs/life/ask-about-fate.ts`]: /^title$/,
  [`${modules}/jobs/life/take-back.ts`]: /^title$/,
  [`${modules}/floor/farm-watch.ts`]: /^title$/,
  [`${modules}/orders/pick/settle-picks.ts`]: /^(title|describePick)$/,
  [`${modules}/materials/filament-tasks.ts`]: /^title$/,
  [`${modules}/certificate/certificate.service.ts`]: /^(title|subtitle)$/,
  [`${modules}/backups/backups.service.ts`]: /^(title|subtitle)$/,
  [`${modules}/assembly/assembly.service.ts`]: /^(titleOf|title|description)$/,
  [`${modules}/notifications/delivery/read-event.ts`]: /^(title|body)$/,
  [`${modules}/scheduler/explain-job.ts`]: /^sentence$/,
  [`${modules}/printers/plate/plate-judgement.ts`]: /^unseen$/,
  [`${modules}/timeline/period-cause.ts`]: /^causeSentences$/,
  [`${modules}/orders/import/amounts.ts`]: /^problem$/,
  [`${modules}/orders/import/read-orders.ts`]: /^(message|rowProblem|wrong)$/,
  [`${modules}/orders/import/read-csv.ts`]: /^(unreadable|problemOf)$/,
  [`${modules}/orders/import/known-orders.queries.ts`]: /^message$/,
  [`${modules}/orders/import/etsy.ts`]: /^(isOver|refuse)$/,
  [`${modules}/orders/import/shopify.ts`]: /^overOf$/,
  [`${modules}/orders/import/woocommerce.ts`]: /^overOf$/,
  [`${modules}/orders/order-times.ts`]: /^(tooEarly|timeProblems)$/,
  [`${modules}/orders/check-new-order.ts`]: /^discountExcess$/,
  [`${modules}/hubs/test-connection.ts`]: /^connectionProblem$/,
  'apps/server/src/kernel/quotas.ts': /^what$/,
  'apps/server/src/http/request/validation.ts': /^(messageOf|describeType|fieldErrors)$/,
  'packages/protocol/src/connection-problems.ts': /^connectionProblems$/,
}

/** What stands in the holes of a template. */
const filled = '7'

beforeAll(() => takeCatalogue('de', catalogue, sentences))
afterAll(() => takeCatalogue('en', {}))

describe.each(Object.entries(sources))('%s', (path, places) => {
  test('says nothing that the catalogue of the service lacks', () => {
    const said = sentencesIn(join(root, path), places)
    expect(said.length).toBeGreaterThan(0)
    const told = said.flatMap((sentence) => chosen[sentence] ?? [sentence])
    expect(told.filter((sentence) => serviceSentence(sentence) === sentence && !sameInGerman.has(sentence))).toEqual([])
  })
})

/** Files whose sentences are for the operator's log, for programs or for the description of the API, and no page shows them. */
const forOthers =
  /\.test\.ts$|\.schema\.ts$|^(test|abuse|contract|operations|tls|file-store|limits|cluster)\/|^kernel\/(config|trusted-proxies)|\/(account-data|support|backups\/upgrade)\/|shops\/settings\/open-shop|hubs\/test-connection/

test('what the service finds wrong with a field, wherever it does, is in the catalogue of the service', () => {
  const server = join(root, 'apps/server/src')
  const files = globSync('**/*.ts', { cwd: server }).filter((name) => !forOthers.test(name))
  const said = files.flatMap((name) =>
    sentencesIn(join(server, name), /^validationError$|[pP]roblem/)
      .flatMap((sentence) => chosen[sentence] ?? [sentence])
      .map((sentence) => [name, sentence] as const),
  )
  expect(said.length).toBeGreaterThan(150)
  expect(said.filter(([, sentence]) => serviceSentence(sentence) === sentence)).toEqual([])
})

const sameInGerman = new Set([`In ${filled}`])

/** Where the service puts words of its own into a sentence, all that comes of it. */
const chosen: Readonly<Record<string, readonly string[]>> = {
  'The printer refused 7 (7) and is left alone for a while.': [
    'The printer refused once (BUSY) and is left alone for a while.',
    'The printer refused 7 times (BUSY) and is left alone for a while.',
  ],
  'The job was refused 7 (7) and waits before the next try.': [
    'The job was refused once (BUSY) and waits before the next try.',
    'The job was refused 7 times (BUSY) and waits before the next try.',
  ],
  'The job needs 7, 7 loaded.': ['nothing is', 'PLA is', 'PLA, PETG are'].map(
    (is) => `The job needs ABS, ${is} loaded.`,
  ),
  'The job needs the colour 7, 7 loaded.': ['nothing is', 'Red is', 'Red, Blue are'].map(
    (is) => `The job needs the colour Green, ${is} loaded.`,
  ),
  '7 order 7': ['Pick order 7', 'Pack order 7'],
  '7 7 from 7 7': ['1 unit', '7 units'].flatMap((units) => [`${units} from 1 place`, `${units} from 7 places`]),
  '7 is 7: 7': ['Filament', 'Material'].flatMap((what) => [`${what} is low: 7`, `${what} is used up: 7`]),
  'The 7 was paused because nothing was accepted.': ['webhook', 'channel'].map(
    (what) => `The ${what} was paused because nothing was accepted.`,
  ),
  'it is 7 in the shop': ['completed', 'cancelled', 'refunded', 'failed', 'trash'].map(
    (name) => `it is ${name} in the shop`,
  ),
  'its payment is 7 in the shop': ['refunded', 'voided'].map((name) => `its payment is ${name} in the shop`),
  'The clock of the hub is 7 that of the service.': ['ahead of', 'behind'].map(
    (where) => `The clock of the hub is ${where} that of the service.`,
  ),
  '7 needs 7': ['send_message needs channel_ids', 'call_webhook needs webhook_id', 'set_order_priority needs priority'],
  // No form sends what an action does not take.
  '7 takes no 7': [],
  'must have at least 7': ['1 character', '7 characters', '1 item', '7 items'].map(
    (how) => `must have at least ${how}`,
  ),
  'must have at most 7': ['1 character', '7 characters', '1 item', '7 items'].map((how) => `must have at most ${how}`),
  'and 7': ['and 1 more problem', 'and 7 more problems'],
  // Names of columns.
  ...Object.fromEntries(
    ['order value', 'item name', 'fulfillment status', 'financial status', 'cancelled at', 'order status'].map(
      (name) => [name, []],
    ),
  ),
  // Parts of a sentence above.
  'a whole number': [],
  'an object': [],
  'an array': [],
  'The printer was 7': ['The printer was out of sight for 12 minutes; it does not remember what it printed'],
}

test('what is wrong with a field is told in the language of the page', () => {
  const details = {
    quantity: ['must be at least 1'],
    _root: ['line 3: a quote is not closed'],
    name: ['of a later service'],
  }
  expect(fieldMessages(new ApiError('Refused', { code: 'VALIDATION_ERROR', status: 400, details }))).toEqual({
    quantity: ['muss mindestens 1 sein'],
    _root: ['Zeile 3: ein Anführungszeichen wird nicht geschlossen'],
    name: ['of a later service'],
  })
})

test('what is put together of several sentences is told whole, or not at all', () => {
  const nozzle = 'The file needs a nozzle of 0.4 mm, the printer has 0.6 mm.'
  expect(serviceSentence(`Bench 1: ${nozzle}`)).toBe(
    'Bench 1: Die Datei braucht eine Düse von 0.4 mm, der Drucker hat 0.6 mm.',
  )
  expect(serviceSentence(`The job does not fit the printer: ${nozzle}`)).toMatch(/: Die Datei braucht eine Düse/)
  expect(serviceSentence('Load PETG Black into Bench 1. The job needs PETG, nothing is loaded.')).toBe(
    'Laden Sie PETG Black in Bench 1. Der Auftrag braucht PETG, geladen ist nichts.',
  )
  expect(serviceSentence('Load PETG Black into Bench 1. Something of a later service.')).toBe(
    'Load PETG Black into Bench 1. Something of a later service.',
  )
  expect(serviceSentence('Bench 1: something of a later service')).toBe('Bench 1: something of a later service')
  expect(serviceSentence('Look at Bench 1: it reports an error')).toBe('Bench 1 ansehen: Er meldet einen Fehler')
  expect(serviceSentence('The printer refused 3 times (PRINTER_BUSY) and is left alone for a while.')).toMatch(
    /3-mal abgelehnt \(.*\)/,
  )
})

/** All texts within such places; what is no sentence, such as a name alone, is left out. */
function sentencesIn(path: string, places: RegExp): string[] {
  const file = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true)
  const found: string[] = []
  const visit = (node: ts.Node, isInside: boolean): void => {
    const isHere = isInside || places.test(nameOf(node))
    if (isHere && !ts.isTypeNode(node)) {
      const text = textOf(node)
      if (text !== undefined && /[a-z]{2} |^[A-Z][a-z]+ /.test(text)) found.push(text)
      if (text !== undefined) return
    }
    ts.forEachChild(node, (child) => visit(child, isHere))
  }
  visit(file, false)
  return found
}

function nameOf(node: ts.Node): string {
  if (ts.isPropertyAssignment(node) || ts.isVariableDeclaration(node) || ts.isFunctionDeclaration(node))
    return node.name?.getText() ?? ''
  return ts.isCallExpression(node) ? node.expression.getText() : ''
}

function textOf(node: ts.Node): string | undefined {
  if (ts.isStringLiteralLike(node)) return node.text
  if (!ts.isTemplateExpression(node)) return undefined
  return [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join(filled)
}
