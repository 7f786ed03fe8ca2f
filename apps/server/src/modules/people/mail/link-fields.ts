import Type from 'typebox'
import { text } from '../../../http/schema.ts'

const linkExample = 'https://farm.example.com/invitation#tJ0m3vYxQk1oZc8rW5uHn2sLb7eDf4gKiPqAaXy9MwE'
/** The link itself, in an answer. */
export const link = (description: string) => Type.Optional(Type.String({ description, examples: [linkExample] }))

/** The part of a link that proves it, in a request. */
export const token = text(1, 200, 'Token after the # of the link')
