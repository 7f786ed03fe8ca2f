/**
 * Where the bundled program is put, relative to the root. Its assets and packages are found from there as they are from the sources.
 */
export const programFolder = 'apps/cli/dist'
