import { expect, test } from 'vitest'
import type { UserId } from '../../kernel/ids.ts'
import { canSee, guardedTypes } from './event-audience.ts'
import { listEventTypes } from './event-catalogue.ts'

const event = (type: string, subject_id = 'x_1', data = {}) => ({ type, subject_id, data })
const key = {}
const userId = 'usr_me' as UserId
const viewer = { role: 'viewer', userId } as const
const operator = { role: 'operator', userId } as const
const admin = { role: 'admin', userId } as const

test.each(['session.started', 'user.password_reset', 'invitation.created', 'api_key.revoked'])(
  '%s is told to those who run the account alone',
  (type) => {
    expect([key, viewer, operator, admin].map((viewer) => canSee(viewer, event(type)))).toEqual([
      false,
      false,
      false,
      true,
    ])
  },
)

test('everybody hears what they did about themselves', () => {
  expect(canSee(viewer, event('session.started', 'ses_1', { user_id: 'usr_me' }))).toBe(true)
  expect(canSee(viewer, event('session.started', 'ses_1', { user_id: 'usr_other' }))).toBe(false)
  expect(canSee(viewer, event('user.totp_enabled', 'usr_me'))).toBe(true)
  expect(canSee(key, event('session.started', 'ses_1', { user_id: undefined }))).toBe(false)
})

test.each(['job.queued', 'member.joined', 'account.updated', 'username.of_something', 'printer.user.x'])(
  '%s is told to everybody',
  (type) => {
    expect([key, viewer].every((viewer) => canSee(viewer, event(type)))).toBe(true)
  },
)

test.each(listEventTypes())('%s is told to those whom the catalogue names', (type, { audience }) => {
  expect(canSee(key, event(type))).toBe(audience === 'everybody')
  expect(canSee(admin, event(type))).toBe(true)
})

test('the areas that are guarded', () => {
  expect(guardedTypes).toBe(
    '^(account_export|agent|api_key|backup_schedule|cost_settings|invitation|material_price|push_device|session|user)[.]',
  )
})
