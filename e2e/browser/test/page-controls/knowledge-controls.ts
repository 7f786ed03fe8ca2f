import { acts, manages, moreRows, type PageControls, reads, seldom } from './control.ts'

const articleButtons = [
  acts('Edit', 'PATCH /wiki/{idOrSlug}'),
  acts(/^(Publish|Take it back…)$/, 'POST /wiki/{id}/publish', 'POST /wiki/{id}/unpublish'),
  acts('Delete…', 'DELETE /wiki/{idOrSlug}'),
]

const editsArticle = (name: string | RegExp) => acts(name, 'PATCH /wiki/{idOrSlug}')

const reportSide = [
  ...reads('Production', 'Printers', 'Stock and filament', 'Revenue', 'Failures', 'Yield', 'Promises', 'Idle time'),
  ...reads('From', 'To'),
  manages('Margin', 'GET /costs/margin'),
]

/** What the farm knows: the wiki and its reports. */
export const knowledgeControls: PageControls = {
  '/wiki': [
    {
      controls: [...reads('Search', 'Category', 'State'), moreRows, acts('Write an article', 'POST /wiki')],
    },
  ],
  '/wiki/$articleId': [
    {
      controls: [...reads('Read', 'Revisions'), ...articleButtons],
    },
    {
      at: '/wiki/$articleId?tab=revisions',
      controls: [
        ...reads('Read', 'Revisions'),
        ...articleButtons,
        moreRows,
        seldom(acts('Bring it back…', 'PATCH /wiki/{idOrSlug}')),
      ],
    },
  ],
  '/wiki/$articleId/edit': [
    {
      controls: [
        ...['Write', 'Preview', 'Title', 'In a sentence', 'Category', 'Shown when this SKU is put together'].map(
          editsArticle,
        ),
        ...['Minutes that it takes', 'Difficulty', 'Tools to have at hand', 'Tags', 'Text of the article'].map(
          editsArticle,
        ),
        ...['Add a section', 'Save', 'Back', 'Kind', 'Heading', 'Text', 'Warnings, one a line'].map(editsArticle),
        ...[/^Move section \d+ (up|down)$/, /^Remove section \d+$/].map(editsArticle),
        acts('Add pictures', 'POST /wiki/{id}/images'),
        acts('takes files', 'POST /wiki/{id}/images'),
        acts(/^(Add a picture to|Change the picture of) section \d+$/, 'POST /wiki/{id}/images'),
        seldom(acts(/^Take it off: the picture of section \d+$/, 'PATCH /wiki/{idOrSlug}')),
        seldom(acts(/^Remove /, 'PATCH /wiki/{idOrSlug}')),
      ],
    },
  ],
  '/reports': [
    { controls: [...reportSide, ...reads('By SKU, as CSV', 'By printer, as CSV', 'By day, as CSV')] },
    {
      at: '/reports?report=revenue',
      controls: [...reportSide, ...reads('By platform, as CSV', 'By SKU, as CSV', 'By day, as CSV')],
    },
    {
      at: '/reports?report=margin',
      controls: [
        ...reportSide,
        ...['Margin by SKU, as CSV', 'Margin by order, as CSV', 'Margin by day, in figures, as CSV'].map((name) =>
          manages(name, 'GET /costs/margin'),
        ),
      ],
    },
    {
      at: '/reports?report=yield',
      controls: [
        ...reportSide,
        ...reads('Causes of lost units, as CSV', 'By file, as CSV', 'By printer, as CSV', 'By material, as CSV'),
      ],
    },
    {
      at: '/reports?report=promises',
      controls: [...reportSide, ...reads('By week, as CSV', 'By platform, as CSV', 'The latest orders, as CSV')],
    },
    { at: '/reports?report=idle', controls: reportSide },
  ],
}
