import Type from 'typebox'

/** Part of the answer to a command. */
export const PendingCommand = Type.Optional(
  Type.String({
    description:
      'Only there when the printer has taken the command and has to do something else first, such as to heat up: when it carries the command out. The outcome shows in its `status` and `status_reason`',
    examples: ['will pause once heated'],
  }),
)
