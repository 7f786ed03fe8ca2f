import Type from 'typebox'
import { request, resource, timestamp } from '../../../http/schema.ts'
import { link, token } from '../mail/link-fields.ts'
import { emailText, passwordText } from '../sign-in/sign-in.schema.ts'
import type { MadeResetLink } from './password-resets.service.ts'

export const ResetLink = resource('ResetLink', 'A link by which a member sets a new password', {
  expires_at: timestamp('Until when it works'),
  mailed: Type.Boolean({ description: 'It was mailed to the member' }),
  url: link('The link to pass on, shown only here; missing when it was mailed'),
})

export const ForgotBody = request({ email: emailText('Address by which the person signs in') })
export const ResetBody = request({ token, password: passwordText('At least 12 characters') })

export function presentResetLink({ expires_at, mailed, url }: MadeResetLink) {
  return { expires_at: expires_at.toISOString(), mailed, ...(url !== undefined && { url }) }
}
