import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useEffect } from 'react'
import { livePrintersQuery } from '../../../features/printers/printers.api.ts'
import { WallScreen } from '../../../features/printers/wall/wall-screen.tsx'
import { t } from '../../../lib/i18n/t.ts'
import { LinkText } from '../../../ui/link-text.tsx'
import { EmptyState } from '../../../ui/page/empty-state.tsx'
import { QueryView } from '../../../ui/page/query-view.tsx'

const route = getRouteApi('/member/printers/wall')

export function WallPage() {
  const { location } = route.useSearch()
  const printers = useQuery(livePrintersQuery())
  useEffect(() => {
    document.title = t('Wall display · Printyard')
  }, [])
  return (
    <QueryView query={printers} failed={t('The printers could not be read')}>
      {(rows) =>
        rows.length === 0 ? (
          <EmptyState
            icon="wall"
            title={t('No printer yet')}
            action={<LinkText to="/printers">{t('Go to printers')}</LinkText>}
          >
            {t('This screen shows all printers of the farm, large enough for a wall.')}
          </EmptyState>
        ) : (
          <WallScreen
            rows={location === undefined ? rows : rows.filter((row) => row.location === location)}
            location={location}
          />
        )
      }
    </QueryView>
  )
}
