import Type from 'typebox'
import { request, resource, text, timestamp } from '../../../http/schema.ts'

export const Account = resource('Account', 'The account and its settings', {
  id: Type.String({ description: 'ID of the account', examples: ['acc_01kaxq3v7m2e8h5t9w4c6y0b1d'] }),
  name: Type.String({ description: 'Name of the farm' }),
  time_zone: Type.String({ description: 'IANA name of the zone that its days and working hours are counted in' }),
  requeue_rejected_units: Type.Boolean({ description: 'Units that are found bad are printed again by a new job' }),
  require_second_factor: Type.Boolean({
    description: 'Members who sign in by a password alone add a second factor before anything else',
  }),
  mail_may_go_unencrypted: Type.Boolean({
    description:
      'Mail of this installation, with links to new passwords, may cross the network unencrypted: `PRINTYARD_SMTP_PLAIN_TEXT` allows it',
  }),
  created_at: timestamp('Time at which the account was created'),
})

export const AccountBody = request(
  {
    name: Type.Optional(text(1, 200, 'Name of the farm')),
    time_zone: Type.Optional(text(1, 100, 'IANA name, such as Europe/Berlin')),
    requeue_rejected_units: Type.Optional(
      Type.Boolean({ description: 'Whether units that are found bad are printed again by a new job' }),
    ),
    require_second_factor: Type.Optional(
      Type.Boolean({
        description: 'Whether members who sign in by a password alone add a second factor first; owners alone set it',
      }),
    ),
  },
  { minProperties: 1 },
)
