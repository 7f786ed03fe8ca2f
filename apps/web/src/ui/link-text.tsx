import { Anchor, type AnchorProps } from '@mantine/core'
import { createLink } from '@tanstack/react-router'
import type { ComponentPropsWithRef } from 'react'

type Props = AnchorProps & Omit<ComponentPropsWithRef<'a'>, keyof AnchorProps>

/** A link to a page of the dashboard, typed by its routes: `<LinkText to="/printers/$printerId" params={{ printerId }}>`. */
export const LinkText = createLink((props: Props) => <Anchor {...props} />)
