import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { ArticleEditor } from '../../../features/wiki/article-editor.tsx'
import { editedArticleQuery } from '../../../features/wiki/wiki.api.ts'
import { Rich } from '../../../lib/i18n/rich.tsx'
import { t } from '../../../lib/i18n/t.ts'
import { useMay } from '../../../lib/session.ts'
import { LinkText } from '../../../ui/link-text.tsx'
import { NoPermission } from '../../../ui/page/error-state.tsx'
import { PageHeader } from '../../../ui/page/page-header.tsx'
import { QueryView } from '../../../ui/page/query-view.tsx'

const route = getRouteApi('/member/shell/wiki/$articleId/edit')

export function EditArticlePage() {
  const { articleId } = route.useParams()
  const navigate = route.useNavigate()
  const mayWrite = useMay('write')
  const edited = useQuery(editedArticleQuery(articleId))
  const leave = () => void navigate({ to: '/wiki/$articleId', params: { articleId }, search: {} })
  if (!mayWrite) {
    return (
      <>
        <PageHeader title={t('Edit an article')} />
        <NoPermission />
      </>
    )
  }
  return (
    <QueryView query={edited} failed={t('The article could not be read')}>
      {({ data, etag }) => (
        <>
          <PageHeader
            title={t('Edit {title}', { title: data.title })}
            description={
              <Rich
                text="<link>Wiki</link> · each save is kept as a revision"
                values={{ link: (words) => <LinkText to="/wiki">{words}</LinkText> }}
              />
            }
          />
          <ArticleEditor article={data} etag={etag} onSaved={leave} onCancel={leave} />
        </>
      )}
    </QueryView>
  )
}
