/**
 * The files in other languages on the pages work. `test/docs/readme.test.ts` runs the commands with which Python and Go run their
 * tests, if these are installed; here is at least their syntax checked, and Java compiled and run with a small copy of JUnit.
 */
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Block, blocks, isInstalled, prepareFolders } from '../support/documentation.js'
import { run } from '../support/launch.js'
import { serveWarm } from '../support/warm.js'

const folderOf = await prepareFolders('languages')

function onePage(shown: readonly Block[]): string {
  const [first] = shown
  if (!first) throw new Error('No page has files in this language')
  expect(new Set(shown.map(({ page }) => page.name)).size).toBe(1)
  return folderOf(first.page)
}

const filesOf = (shown: readonly Block[]) => shown.map(({ file = '' }) => file)

it('shows two files in each language', () => {
  expect(['python', 'go', 'java'].map((language) => filesOf(blocks(language)).length)).toEqual([2, 2, 2])
})

it.skipIf(!isInstalled('python3', '--version'))('shows files that Python compiles', async () => {
  const shown = blocks('python')
  const script = `import ast, sys\nfor file in sys.argv[1:]: ast.parse(open(file).read())`
  const command = ['python3', '-c', script, ...filesOf(shown)] as const
  expect(await run([], { command, cwd: onePage(shown) })).toMatchObject({ code: 0, stderr: '' })
})

// Without Go nothing checks these files.
it.skipIf(!isInstalled('gofmt', '-h') && !isInstalled('go', 'version'))(
  'shows files that gofmt leaves as they are',
  async () => {
    const shown = blocks('go')
    const command = ['gofmt', '-e', '-l', ...filesOf(shown)] as const
    expect(await run([], { command, cwd: onePage(shown) })).toMatchObject({ code: 0, stdout: '', stderr: '' })
  },
)

/** What the tests on the page use of JUnit, and a program that runs them. */
const junit: Record<string, string> = {
  'org/junit/jupiter/api/Test.java': `package org.junit.jupiter.api;
@java.lang.annotation.Retention(java.lang.annotation.RetentionPolicy.RUNTIME)
public @interface Test {}
`,
  'org/junit/jupiter/api/Assertions.java': `package org.junit.jupiter.api;
public class Assertions {
  public static void assertEquals(int expected, int actual) {
    if (expected != actual) throw new AssertionError("expected " + expected + ", got " + actual);
  }
  public static void assertTrue(boolean condition) {
    if (!condition) throw new AssertionError();
  }
}
`,
  'RunTests.java': `public class RunTests {
  public static void main(String[] names) throws Exception {
    for (var name : names)
      for (var method : Class.forName(name).getDeclaredMethods())
        if (method.isAnnotationPresent(org.junit.jupiter.api.Test.class)) {
          var made = Class.forName(name).getDeclaredConstructor();
          made.setAccessible(true);
          method.setAccessible(true);
          method.invoke(made.newInstance());
          System.out.println(method.getName());
        }
  }
}
`,
}

describe.skipIf(!isInstalled('javac', '-version'))('Java', () => {
  it('shows tests that pass', async () => {
    const shown = blocks('java')
    const folder = onePage(shown)
    for (const [file, code] of Object.entries(junit)) {
      await mkdir(join(folder, file, '..'), { recursive: true })
      await writeFile(join(folder, file), code)
    }
    const sources = [...filesOf(shown), ...Object.keys(junit)]
    const compiled = await run([], {
      command: ['javac', '-Werror', '-Xlint:all', '-d', 'classes', ...sources],
      cwd: folder,
    })
    expect(compiled).toMatchObject({ code: 0, stderr: '' })
    expect(await readdir(join(folder, 'classes'))).toContain('PetsTest.class')
    const server = await serveWarm(['--log', 'none'])
    const env = { PETSTORE_BASE_URL: `${server.url}/v1`, SANDBOX_URL: server.url }
    const ran = await run([], { command: ['java', '-cp', 'classes', 'RunTests', 'PetsTest'], cwd: folder, env })
    expect(ran).toMatchObject({ code: 0, stderr: '' })
    expect(ran.stdout.trim().split('\n').sort()).toEqual(['listsANewPetFirst', 'survivesAnOutage'])
  })
})
