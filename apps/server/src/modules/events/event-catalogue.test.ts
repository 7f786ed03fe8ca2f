import { readFileSync } from 'node:fs'
import { Value } from 'typebox/value'
import { expect, expectTypeOf, test } from 'vitest'
import { type EventData, listEventTypes, type NewEvent, wordsOfTypes } from './event-catalogue.ts'
import { eventTypesPage, formatEventTypes } from './event-types-page.ts'

test('the page of event types is what the catalogue says', () => {
  // Written again by `node apps/server/src/modules/events/event-types-page.ts`.
  expect(readFileSync(eventTypesPage, 'utf8')).toBe(formatEventTypes())
})

test('each type is spelled as area and past, and says what happened', () => {
  for (const [type, { summary, data }] of listEventTypes()) {
    expect(type).toMatch(/^[a-z_]+\.[a-z_]+$/)
    expect(summary).toMatch(/^[A-Z].+[^.]$/)
    expect(Value.Check(data, { no_such_field: 1 })).toBe(false)
  }
})

test('created, updated, deleted and changed mean one thing each', () => {
  const types = listEventTypes()
  for (const [type, { data }] of types) {
    const [area, verb = ''] = type.split('.')
    if (/created|updated|deleted/.test(verb)) expect(Object.keys(wordsOfTypes), type).toContain(verb)
    if (/change/.test(verb)) expect(verb, type).toMatch(/^[a-z_]+_changed$/)
    // Only what was edited has fields that were edited, and it says which.
    expect(data.required?.includes('fields') ?? false, type).toBe(verb === 'updated')
    const beginning = area === 'job' ? 'job.queued' : `${area}.created`
    if (verb === 'deleted') expect(types.map(([other]) => other)).toContain(beginning)
    expect(verb, `${type} is another word for one of these`).not.toMatch(
      /^(made|renamed|edited|modified|erased|changed)$/,
    )
  }
})

test('an event carries the data of its type', () => {
  expectTypeOf<{
    type: 'color.deleted'
    subjectId: string
    actor: string
    data: { color_name: string }
  }>().toExtend<NewEvent>()
  expectTypeOf<{
    type: 'color.deleted'
    subjectId: string
    actor: string
    data: { name: string }
  }>().not.toExtend<NewEvent>()
  expectTypeOf<{
    type: 'color.painted'
    subjectId: string
    actor: string
    data: { color_name: string }
  }>().not.toExtend<NewEvent>()
  expectTypeOf<EventData<'job.assigned'>['printer_id']>().toEqualTypeOf<string | null>()
})
