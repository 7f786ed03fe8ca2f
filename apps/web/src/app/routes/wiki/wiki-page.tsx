import { Button, Group, Select } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { ArticleTable } from '../../../features/wiki/article-table.tsx'
import { NewArticleDialog } from '../../../features/wiki/new-article-dialog.tsx'
import { articleListQuery, categoriesQuery } from '../../../features/wiki/wiki.api.ts'
import { readWikiSearch, type WikiSearch, wikiFiltersOf } from '../../../features/wiki/wiki-search.ts'
import { morePages, rowsOf } from '../../../lib/api/paged-query.ts'
import { t } from '../../../lib/i18n/t.ts'
import { useMay } from '../../../lib/session.ts'
import { SearchField } from '../../../ui/forms/search-field.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { LinkButton } from '../../../ui/link-button.tsx'
import { EmptyState } from '../../../ui/page/empty-state.tsx'
import { PageHeader } from '../../../ui/page/page-header.tsx'
import { QueryView } from '../../../ui/page/query-view.tsx'
import '../jobs/filter-bar.css'

const route = getRouteApi('/member/shell/wiki')

export function WikiPage() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const list = useInfiniteQuery(articleListQuery(wikiFiltersOf(search)))
  const categories = useQuery(categoriesQuery()).data ?? []
  const mayWrite = useMay('write')
  const [isAdding, setAdding] = useState(false)
  const set = (changes: { [Name in keyof WikiSearch]: string | null }) =>
    void navigate({ search: readWikiSearch({ ...search, ...changes }), replace: true })
  const add = mayWrite && (
    <Button data-adds leftSection={<Icon name="plus" size={16} />} onClick={() => setAdding(true)}>
      {t('Write an article')}
    </Button>
  )
  return (
    <>
      <PageHeader title={t('Wiki')} description={t('Articles on how work is done on this farm.')} actions={add} />
      <Group align="end" gap="sm" mb="md" className="filter-bar">
        <SearchField
          label={t('Search')}
          placeholder={t('Title or excerpt')}
          value={search.search ?? ''}
          onSearch={(text) => set({ search: text })}
        />
        <Select
          label={t('Category')}
          placeholder={t('All')}
          data={[
            ...new Set([...categories.map(({ category }) => category), ...(search.category ? [search.category] : [])]),
          ].filter(Boolean)}
          value={search.category ?? null}
          onChange={(category) => set({ category })}
          clearable
        />
        <Select
          label={t('State')}
          placeholder={t('All')}
          data={[
            { value: 'published', label: t('Published') },
            { value: 'draft', label: t('Drafts') },
          ]}
          value={search.state ?? null}
          onChange={(state) => set({ state })}
          clearable
        />
      </Group>
      <QueryView query={list} failed={t('The articles could not be read')}>
        {(data) => {
          const articles = rowsOf(data) ?? []
          if (articles.length > 0) return <ArticleTable articles={articles} {...morePages(list)} />
          if (Object.keys(search).length > 0) {
            return (
              <EmptyState
                icon="search"
                title={t('No article matches')}
                action={
                  <LinkButton to="/wiki" search={{}} variant="default">
                    {t('Show all')}
                  </LinkButton>
                }
              />
            )
          }
          return (
            <EmptyState icon="book" title={t('No article yet')} action={add}>
              {t('Write down how things are done: an article about a SKU is shown where it is put together.')}
            </EmptyState>
          )
        }}
      </QueryView>
      {isAdding && (
        <NewArticleDialog
          onClose={() => setAdding(false)}
          onAdded={(articleId) => void navigate({ to: '/wiki/$articleId/edit', params: { articleId } })}
        />
      )}
    </>
  )
}
