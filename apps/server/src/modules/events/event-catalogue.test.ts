import { readFileSync } from 'node:fs'
import { Value } from 'typebox/value'
import { expect, expectTypeOf, test } from 'vitest'
import { type EventData, listEventTypes, type NewEvent } from './event-catalogue.ts'
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
