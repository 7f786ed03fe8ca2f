import { Anchor } from '@mantine/core'
import { Rich } from '../lib/i18n/rich.tsx'
import { t } from '../lib/i18n/t.ts'
import { EmptyState } from '../ui/page/empty-state.tsx'
import { PageHeader } from '../ui/page/page-header.tsx'

export function NotFoundPage() {
  return (
    <>
      <PageHeader title={t('Nothing is here')} />
      <EmptyState icon="search" title={t('No page has this address')}>
        <Rich
          text="It may have been moved or mistyped. <link>Go to the overview</link>"
          values={{
            link: (words) => (
              <Anchor href="/" underline="always">
                {words}
              </Anchor>
            ),
          }}
        />
      </EmptyState>
    </>
  )
}
