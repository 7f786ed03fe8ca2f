import Type from 'typebox'
import { nullable, oneOf, resource, timestamp } from '../../../http/schema.ts'
import type { Actor } from '../../../kernel/actor.ts'
import { isAtLeast, roles } from '../../../kernel/policy.ts'
import type { ListedMember } from '../accounts/members.queries.ts'

export const Member = resource('Member', 'A person who works with the account', {
  id: Type.String({ description: 'ID of the membership', examples: ['mem_01kaxq3v7m2e8h5t9w4c6y0b1d'] }),
  user_id: Type.String({ description: 'ID of the user, as `assigned_to` of tasks takes it' }),
  name: Type.String({ description: 'Name as the person gave it; empty when none was given' }),
  email: nullable(
    Type.String({
      description: 'Address by which the person signs in; null unless an owner or admin asks in the dashboard',
      examples: ['owner@example.com'],
    }),
  ),
  role: oneOf(roles, { description: 'Role of the person in the account' }),
  created_at: timestamp('Time at which the person joined the account'),
})

/** Addresses of people are shown to those who run the account, and never to keys. */
export function presentMember({ id, user_id, name, email, role, created_at }: ListedMember, asking: Actor) {
  const canSee = asking.role !== undefined && isAtLeast(asking.role, 'admin')
  return { id, user_id, name, email: canSee ? email : null, role, created_at: created_at.toISOString() }
}
