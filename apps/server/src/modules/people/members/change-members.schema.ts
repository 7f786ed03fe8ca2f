import { oneOf, request } from '../../../http/schema.ts'
import { roles } from '../../../kernel/policy.ts'

export const RoleBody = request({ role: oneOf(roles, { description: 'What the person may do from now on' }) })
