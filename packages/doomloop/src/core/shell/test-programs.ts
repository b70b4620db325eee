/** Programs that run tests, whatever their arguments. */
export const TEST_PROGRAMS: ReadonlySet<string> = new Set(
  `pytest py.test nosetests nose2 tox nox trial jest vitest mocha ava jasmine karma tap cypress rspec minitest phpunit pest
   paratest ctest gotestsum ginkgo bats busted prove testem runtests runtests.py runtests.sh run_tests run_tests.py
   run_tests.sh run-tests.sh`.split(/\s+/),
);

/** Modules that run tests after `python -m`. */
export const TEST_MODULES: ReadonlySet<string> = new Set(
  "pytest unittest nose nose2 tox nox doctest twisted.trial".split(" "),
);

/** Programs that run tests when one of these is their first argument that is not an option. */
export const TEST_SUBCOMMANDS: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries({
    go: "test",
    cargo: "test nextest t",
    deno: "test",
    bun: "test",
    dotnet: "test vstest",
    mvn: "test verify surefire:test",
    mvnw: "test verify surefire:test",
    gradle: "test check",
    gradlew: "test check",
    make: "test tests check",
    gmake: "test tests check",
    just: "test tests check",
    task: "test tests",
    ninja: "test check",
    rake: "test spec",
    rails: "test",
    artisan: "test",
    swift: "test",
    mix: "test",
    sbt: "test testOnly",
    bazel: "test",
    zig: "test",
    dart: "test",
    flutter: "test",
    lein: "test",
    cabal: "test",
    stack: "test",
    dune: "test runtest",
    hatch: "test",
    playwright: "test",
    "react-scripts": "test",
    ng: "test",
    nx: "test",
    turbo: "test",
    lerna: "test",
    django: "test",
    "manage.py": "test",
    "django-admin": "test",
  }).map(([program, subcommands]) => [program, new Set(subcommands.split(" "))]),
);

/** Programs that run a named script of a package. */
export const SCRIPT_RUNNERS: ReadonlySet<string> = new Set([
  "npm",
  "yarn",
  "pnpm",
  "bun",
  "composer",
  "turbo",
  "nx",
  "lerna",
]);
