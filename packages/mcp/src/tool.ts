import type { api, Printyard, RequestOptions } from '@printyard/sdk'
import Type, { type Static, type TProperties, type TSchema } from 'typebox'

/** What a tool works with: the farm, and what it sends along with each request. */
export interface Farm {
  printyard: Printyard
  options: RequestOptions
}

export type Scope = api.OwnKey['scopes'][number]

interface ToolText {
  name: string
  title: string
  description: string
}

/** A tool that looks. */
interface ReadTool<Input> extends ToolText {
  scope: 'read'
  input: TSchema
  read(farm: Farm, input: Input): Promise<unknown>
}

/** A tool that changes something: it previews first, and acts when it is called with the token of the preview. */
interface ActTool<Input> extends ToolText {
  scope: Exclude<Scope, 'read'>
  isDestructive: boolean
  input: TSchema
  preview(farm: Farm, input: Input): Promise<unknown>
  act(farm: Farm, input: Input): Promise<unknown>
}

// The input was checked against `input` before a tool gets it.
export type Tool = ReadTool<never> | ActTool<never>

type Inputs<Fields extends TProperties> = Static<ReturnType<typeof Type.Object<Fields>>>

export function readTool<Fields extends TProperties>(
  { fields, ...text }: ToolText & { fields: Fields },
  read: (farm: Farm, input: Inputs<Fields>) => Promise<unknown>,
): Tool {
  return { ...text, scope: 'read', input: closed(fields), read }
}

export function actTool<Fields extends TProperties>(
  { fields, ...text }: ToolText & { scope: Exclude<Scope, 'read'>; isDestructive: boolean; fields: Fields },
  { preview, act }: Pick<ActTool<Inputs<Fields>>, 'preview' | 'act'>,
): Tool {
  const confirmToken = Type.Optional(
    Type.String({ maxLength: 300, description: 'Token of the dry run; leave it out in the first call' }),
  )
  return { ...text, input: closed({ ...fields, confirm_token: confirmToken }), preview, act }
}

function closed<Fields extends TProperties>(fields: Fields) {
  return Type.Object(fields, { additionalProperties: false })
}

export const idOf = (what: string) => Type.String({ minLength: 1, maxLength: 255, description: `ID of the ${what}` })
export const search = Type.Optional(
  Type.String({ minLength: 1, maxLength: 120, description: 'Part of a name or code' }),
)

/** Fields of tools that answer a page of a list. */
export const paging = {
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 50, default: 20 })),
  cursor: Type.Optional(
    Type.String({ minLength: 1, maxLength: 1_500, description: '`meta.next_cursor` of the page before' }),
  ),
}

export const defaultLimit = 20
