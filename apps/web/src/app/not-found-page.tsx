import { Anchor } from '@mantine/core'
import { EmptyState } from '../ui/page/empty-state.tsx'
import { PageHeader } from '../ui/page/page-header.tsx'

export function NotFoundPage() {
  return (
    <>
      <PageHeader title="Nothing is here" />
      <EmptyState icon="search" title="No page has this address">
        It may have been moved or mistyped. <Anchor href="/">Go to the overview</Anchor>
      </EmptyState>
    </>
  )
}
