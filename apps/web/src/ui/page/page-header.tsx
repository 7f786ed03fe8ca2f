import { Group, Text, Title } from '@mantine/core'
import { type ReactNode, useEffect, useRef } from 'react'
import './page-header.css'

interface PageHeaderProps {
  title: string
  /** What stands in the tab of the browser; the title when it is left out. */
  documentTitle?: string
  /** A sentence, or where this page belongs. */
  description?: ReactNode
  /** Beside the title: a state. */
  badge?: ReactNode
  /** Buttons; on a phone they stand below. */
  actions?: ReactNode
}

/** The head of every page. It names the tab, and takes the focus after navigation so that a reader begins here. */
export function PageHeader({ title, documentTitle = title, description, badge, actions }: PageHeaderProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    // The page was shown before it knew its title, and the focus waits at its beginning.
    if (document.activeElement?.id === 'main') heading.current?.focus({ preventScroll: true })
  }, [])
  useEffect(() => {
    document.title = `${documentTitle} · Printyard`
  }, [documentTitle])
  return (
    <Group component="header" justify="space-between" align="flex-start" gap="sm" mb="md">
      <div className="page-title">
        <Group gap="sm">
          <Title order={1} id="page-title" tabIndex={-1} ref={heading}>
            {title}
          </Title>
          {badge}
        </Group>
        {description !== undefined && (
          <Text component="div" c="dimmed" size="sm" mt={2}>
            {description}
          </Text>
        )}
      </div>
      {actions !== undefined && <Group gap="xs">{actions}</Group>}
    </Group>
  )
}
