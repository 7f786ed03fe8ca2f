import { expect, test } from 'vitest'
import { connectedPlatforms, connectorOf } from '../connectors/connectors.ts'
import { cursorWithin } from './shop-clock.ts'

const minuteMs = 60_000
const now = new Date('2026-06-15T12:00:00Z')
const at = (minutes: number) => new Date(now.getTime() + minutes * minuteMs)

test.each(connectedPlatforms)('a cursor of %s that lies after the time of the shop begins before it', (platform) => {
  const connector = connectorOf(platform)
  const usual = connector.firstCursor(at(-5))
  expect(cursorWithin(connector, usual, now, minuteMs)).toEqual(usual)
  const ahead = connector.firstCursor(at(24 * 60))
  // A read a minute ago, and the five minutes in which changes may show late.
  expect(cursorWithin(connector, ahead, now, minuteMs)).toEqual(connector.firstCursor(at(-6)))
  // A clock of ours that was set back does not make it begin later.
  expect(cursorWithin(connector, ahead, now, -minuteMs)).toEqual(connector.firstCursor(at(-5)))
  expect(cursorWithin(connector, ahead, undefined, minuteMs)).toEqual(ahead)
})
