import { api } from '../../lib/api/api.ts'
import { t } from '../../lib/i18n/t.ts'
import { useActions } from '../../ui/dialogs/use-actions.ts'

interface Subject {
  id: string
  title: string
}

/** What a person does with an article by one button. Each answers whether it was done. */
export function useWikiActions() {
  const { busyId, perform } = useActions('wiki')
  return {
    busyId,
    publish: ({ id, title }: Subject) =>
      perform({
        id,
        call: () => api.call('POST /wiki/{id}/publish', { params: { id } }),
        done: t('{title} is published', { title }),
        failed: t('{title} could not be published', { title }),
      }),
    unpublish: ({ id, title }: Subject) =>
      perform({
        id,
        question: {
          title: t('Take {title} back?', { title }),
          body: t('It keeps its text, and is not shown with assembly tasks any more.'),
          confirmLabel: t('Take it back'),
        },
        call: () => api.call('POST /wiki/{id}/unpublish', { params: { id } }),
        done: t('{title} is a draft again', { title }),
        failed: t('{title} could not be taken back', { title }),
      }),
    remove: ({ id, title }: Subject) =>
      perform({
        id,
        question: {
          title: t('Delete {title}?', { title }),
          body: t('Its revisions and pictures go with it, for good.'),
          confirmLabel: t('Delete the article'),
          isDangerous: true,
        },
        call: () => api.call('DELETE /wiki/{idOrSlug}', { params: { idOrSlug: id } }),
        done: t('{title} is deleted', { title }),
        failed: t('{title} could not be deleted', { title }),
      }),
    restore: ({ id, title }: Subject, number: number, body: Parameters<typeof restoreBody>[0]) =>
      perform({
        id,
        question: {
          title: t('Bring back revision {number} of {title}?', { number, title }),
          body: t('The article gets its former text back, as a new revision: no text is lost.'),
          confirmLabel: t('Bring it back'),
        },
        call: () => api.call('PATCH /wiki/{idOrSlug}', { params: { idOrSlug: id }, body: restoreBody(body) }),
        done: t('{title} has the text of revision {number} again', { title, number }),
        failed: t('Revision {number} could not be brought back', { number }),
      }),
  }
}

/** All that a revision said, but for its address, by which others may know the article. */
function restoreBody<Article extends { slug: string }>({ slug: _, ...article }: Article): Omit<Article, 'slug'> {
  return article
}
