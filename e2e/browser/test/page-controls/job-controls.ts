import { acts, type Control, moreRows, owns, type PageControls, reads, seldom } from './control.ts'

const job = '[\\w.-]+gcode(?:\\.3mf)?'

const named = (before: string, after = '') => new RegExp(`^${before}${job}${after}$`)

const jobButtons = [
  seldom(acts(/^(Start now|Start now on…)$/, 'POST /jobs/{id}/assign', 'POST /jobs/{id}/start')),
  seldom(acts('Assign', 'POST /jobs/{id}/assign')),
  seldom(acts('Change', 'PATCH /jobs/{id}')),
  seldom(acts('Pause', 'POST /jobs/{id}/pause')),
  seldom(acts('Resume', 'POST /jobs/{id}/resume')),
  seldom(acts(/^(Cancel|Stop)$/, 'POST /jobs/{id}/cancel')),
  seldom(acts('How did the print end?', 'POST /jobs/{id}/resolve')),
  seldom(acts('Retry', 'POST /jobs/{id}/retry')),
  seldom(acts('Print again', 'POST /jobs')),
  seldom(acts(/^(SKU that it makes|Name the product)$/, 'PUT /jobs/{id}/product')),
]

/** One of these that is there now. */
const now = (...names: string[]): Control[] =>
  jobButtons.map((control) => {
    const isThere = names.some((name) =>
      control.name instanceof RegExp ? control.name.test(name) : control.name === name,
    )
    const { isSeldom, ...always } = control
    return isThere ? always : control
  })

/** What the camera saw of a failure, which opens larger. */
const cameraPicture = seldom(owns(/^Camera picture of .+, .+/))

/** What is printed: the queue, what became of it, and files. */
export const jobControls: PageControls = {
  '/queue': [
    {
      controls: [
        ...reads('List', 'Timeline', 'Search', 'Printer', 'Filament', 'Priority'),
        ...reads(named('', ' waits: .+')),
        moreRows,
        seldom(
          acts(
            /^(Enter it|Clear it|Clear them all|Let it start|Let them all start|Enter it for all)…$/,
            'PATCH /printers/{id}',
            'POST /printers/{id}/control',
          ),
        ),
        ...reads(/^To (the printers|North \d|South \d)$/).map(seldom),
        acts('Print a file', 'POST /jobs', 'POST /jobs/preview'),
        acts(named('Select '), 'POST /jobs/{id}/cancel'),
        acts(named('Move ', ', number \\d+ of \\d+\\. Arrow keys move it'), 'PATCH /jobs/{id}'),
        acts('can be dragged', 'PATCH /jobs/{id}'),
        acts(named('Actions for ')),
        acts(/^Move (to the top|up|down|to…)$/, 'PATCH /jobs/{id}'),
        acts(/^Start (now on…|on .* now…)$/, 'POST /jobs/{id}/start', 'POST /jobs/{id}/assign'),
        acts('Assign a printer…', 'POST /jobs/{id}/assign'),
        acts('Priority, due date, filament…', 'PATCH /jobs/{id}'),
        acts('Cancel', 'POST /jobs/{id}/cancel', 'POST /jobs/{id}/restore'),
        acts('Stop and cancel…', 'POST /jobs/{id}/cancel'),
        acts('Resume…', 'POST /jobs/{id}/resume'),
        seldom(acts('Pause…', 'POST /jobs/{id}/pause')),
        seldom(acts('Report how the print ended…', 'POST /jobs/{id}/resolve')),
      ],
    },
    {
      at: '/queue?view=timeline',
      controls: [
        ...reads('List', 'Timeline', '12 h', '24 h', '3 days', '7 days'),
        acts('Print a file', 'POST /jobs'),
        seldom(acts('can be dragged', 'POST /jobs/{id}/assign')),
      ],
    },
  ],
  '/failures': [
    {
      controls: [
        ...reads('Not looked into', 'All', 'Report'),
        cameraPicture,
        seldom(acts(/^(Looked into|Open again): /, 'PATCH /analytics/failures/{id}')),
        ...[/^(Did not stick|Spaghetti|Layers shifted|Nozzle clogged|Filament ran out)$/].map((name) =>
          seldom(acts(name, 'PATCH /analytics/failures/{id}')),
        ),
        seldom(acts(/^(Power cut|Mechanics|File|Something else)$/, 'PATCH /analytics/failures/{id}')),
      ],
    },
  ],
  '/history': [
    {
      controls: [
        ...reads('State', 'Printer', 'File', 'From', 'To'),
        moreRows,
        acts(named('Print ', ' again'), 'POST /jobs'),
        acts(named('Retry '), 'POST /jobs/{id}/retry'),
      ],
    },
  ],
  '/jobs/$jobId': [
    { controls: now('Resume', 'Stop') },
    {
      at: '/jobs/$queuedJobId',
      controls: [
        ...now('Start now', 'Assign', 'Change', 'Cancel'),
        ...reads(/ (\d+ rules? in the way|Could start it)$/, 'Clear the plate'),
      ],
    },
    { at: '/jobs/$failedJobId', controls: [...now('Retry', 'Print again'), cameraPicture] },
    { at: '/jobs/$cancelledJobId', controls: [...now('Print again'), cameraPicture] },
  ],
  '/files': [
    {
      controls: [
        ...reads('Search files', 'Tag', 'Order', 'Table', 'Grid'),
        acts(named('Select '), 'PATCH /files/{id}', 'DELETE /files/{id}'),
        moreRows,
        acts('Upload print files', 'POST /files/upload-url'),
        acts('Print files to upload', 'POST /files/upload-url', 'POST /files'),
        acts('takes files', 'POST /files'),
        acts(named('Print this: '), 'POST /jobs'),
        acts(named('Actions for ')),
        // Of each file; who has a menu finds it there.
        ...reads(named('Download ')).map((each) => ({ ...each, who: ['viewer'] as const })),
        acts('Download'),
        acts('Rename…', 'PATCH /files/{id}'),
        acts('Tags…', 'PATCH /files/{id}'),
        acts('Move to a folder…', 'PATCH /files/{id}'),
        acts('Delete…', 'DELETE /files/{id}'),
      ],
    },
  ],
  '/files/$fileId': [
    {
      controls: [
        ...reads('Download'),
        acts('Print this', 'POST /jobs'),
        acts('Rename', 'PATCH /files/{id}'),
        acts('Tags', 'PATCH /files/{id}'),
        acts('Folder', 'PATCH /files/{id}'),
        acts('Delete', 'DELETE /files/{id}'),
        acts('Upload a new version', 'POST /files/upload-url', 'POST /files/{id}/versions'),
        acts('takes files', 'POST /files/{id}/versions'),
        acts('Make version 1 current', 'PUT /files/{id}/versions/{version}/current'),
      ],
    },
  ],
}
