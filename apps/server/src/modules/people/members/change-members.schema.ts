import Type from 'typebox'
import { answer, oneOf, request } from '../../../http/schema.ts'
import { roles } from '../../../kernel/policy.ts'

export const RoleBody = request({ role: oneOf(roles, { description: 'New role of the person' }) })

export const EndedSessions = answer(
  { ended_sessions: Type.Integer({ description: 'Number of sessions in the account that were ended' }) },
  { description: 'A member who is signed out' },
)
