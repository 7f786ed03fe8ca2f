import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { pageOf } from '../lib/things.ts'
import { LinkText } from './link-text.tsx'

interface ThingLinkProps {
  /** Null or undefined: nothing that has an ID, such as what a line of an order stands for before it is mapped. */
  id: string | null | undefined
  children: ReactNode
  fw?: number
}

/**
 * What a thing is called, leading to its page; the words alone where it has none. In the size and weight of the text around it, from
 * which its line tells it apart.
 */
export function ThingLink({ id, children, fw }: ThingLinkProps) {
  const page = id ? pageOf(id) : undefined
  const weight = fw === undefined ? {} : { fw }
  if (page === undefined) {
    return (
      <Text span inherit {...weight}>
        {children}
      </Text>
    )
  }
  return (
    <LinkText to={page} underline="always" inherit {...weight}>
      {children}
    </LinkText>
  )
}
