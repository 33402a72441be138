"""Calls to actions, and whether a turn that makes just this call only reads. All by pencil."""

import json
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calib.tools import Map, actions_of
from calib.tools._commands import FEW, actions
from calib.tools._family import vocabulary

SHIPPED = Map()

COMMANDS = """
    ls -la /src                                     | ls                                | reads
    cat a.py                                        | cat                               | reads
    cd src && ls                                    | cd, ls                            | reads
    cd src                                          | cd                                | no
    echo done                                       | echo                              | no
    pwd && true                                     | pwd, true                         | no
    /bin/cat /etc/hosts                             | cat                               | reads
    LS -la                                          | ls                                | reads
    grep -rn "x > y" . \\| head -20                 | grep, head                        | reads
    rg -n 'rm -rf' . 2>/dev/null \\| sort \\| uniq -c | rg, sort, uniq                  | reads
    cat a > b                                       | cat, >                            | no
    cat a 2>&1 >/dev/null                           | cat                               | reads
    echo hi >> log                                  | echo, >                           | no
    ls \\| tee out                                  | ls, tee                           | no
    ls \\| tee /dev/null                            | ls, tee /dev/null                 | reads
    sed -n '1,20p' a.py                             | sed                               | reads
    sed -i 's/a/b/' a.py                            | sed -i                            | no
    sed -i.bak 's/a/b/' a.py                        | sed -i                            | no
    sed -ni p a.py                                  | sed -i                            | no
    sed -E -i 's/a/b/' a.py                         | sed -i                            | no
    sed --in-place=.bak s/a/b/ a.py                 | sed --in-place                    | no
    sed -e 's/-i/x/' a.py                           | sed                               | reads
    sed 's/a/b/w out' a.py                          | sed w                             | no
    sed '/x/w out' a.py                             | sed w                             | no
    sed 's/a/w b/' a.py                             | sed                               | reads
    find . -name '*.py' -type f                     | find                              | reads
    find . -name '*.pyc' -delete                    | find -delete                      | no
    find . -exec grep -l x {} +                     | find, grep                        | reads
    find . -exec rm {} \\\\;                        | find, rm                          | no
    find . -exec sh -c 'mv "$1" x' _ {} \\\\;       | find, mv                          | no
    find . -type f \\| xargs grep x                 | find, grep                        | reads
    find . -print0 \\| xargs -0 -n 1 -I{} rm {}     | find, rm                          | no
    ls \\| xargs                                    | ls, xargs                         | reads
    fd -e py -x wc -l                               | fd, wc                            | reads
    awk '{print $1}' a                              | awk                               | reads
    awk '$3 > 5 {print $1 ">" $2}' a                | awk                               | reads
    awk '{print (n<?",":ORS)}' a                    | awk                               | reads
    awk '{print (a > b)}' a                         | awk                               | reads
    awk '{print $1 > "out"}' a                      | awk >                             | no
    awk '{printf "%s", $1 >> f}' a                  | awk >                             | no
    awk '{system("rm " $1)}' a                      | awk >                             | no
    awk '{print \\| "sh"}' a                        | awk >                             | no
    awk -i inplace '{print}' a                      | awk -i                            | no
    sort -u a                                       | sort                              | reads
    sort -o a a                                     | sort -o                           | no
    sort -V a                                       | sort                              | reads
    du -h                                           | du                                | reads
    uniq a                                          | uniq                              | reads
    uniq a b                                        | uniq NAME VALUE                   | no
    tar -tzf a.tgz                                  | tar -t                            | reads
    tar tzf a.tgz                                   | tar -t                            | reads
    tar xzf a.tgz                                   | tar                               | no
    unzip -l a.zip                                  | unzip -l                          | reads
    unzip a.zip                                     | unzip                             | no
    curl -s https://x                               | curl                              | reads
    curl -sSL https://x -o f                        | curl -o                           | no
    curl -sSLo f https://x                          | curl -o                           | no
    curl -s -o /dev/null -w '%{http_code}' https://x | curl                             | reads
    curl -X POST https://x -d '{}'                  | curl -X, curl -d                  | no
    curl -XGET https://x                            | curl                              | reads
    wget https://x                                  | wget                              | no
    wget -qO- https://x                             | wget -O -                         | reads
    git log --oneline -5                            | git log                           | reads
    git -C dir --no-pager diff HEAD~1               | git diff                          | reads
    git show HEAD:a.py \\| head                     | git show, head                    | reads
    git status && git diff --stat                   | git status, git diff              | reads
    git diff --output=f                             | git diff --output                 | no
    git diff > f.patch                              | git diff, >                       | no
    git branch                                      | git branch                        | reads
    git branch -v --list 'x*'                       | git branch -v, git branch --list  | reads
    git branch new                                  | git branch NAME                   | no
    git branch -D old                               | git branch -D                     | no
    git tag                                         | git tag                           | reads
    git tag v1                                      | git tag NAME                      | no
    git tag -l 'v*'                                 | git tag -l                        | reads
    git remote -v                                   | git remote                        | reads
    git remote add o url                            | git remote add                    | no
    git stash                                       | git stash                         | no
    git stash list                                  | git stash list                    | reads
    git config --get user.name                      | git config --get                  | reads
    git config user.name                            | git config NAME                   | reads
    git config --global user.name x                 | git config NAME VALUE             | no
    git add -A && git commit -m x                   | git add, git commit               | no
    git mine secret                                 | git ?                             | no
    gh pr view 7 --json title                       | gh pr view                        | reads
    gh pr create --title x                          | gh pr create                      | no
    gh api repos/x                                  | gh api                            | reads
    gh api -X POST repos/x                          | gh api -X                         | no
    gh auth status 2>&1 \\|\\| true                 | gh auth status, true              | reads
    npm ls                                          | npm ls                            | reads
    npm run test -- --watch                         | npm run test                      | no
    npm run my-secret-script                        | npm run                           | no
    pip list \\| grep x                             | pip list, grep                    | reads
    pip3 install x                                  | pip install                       | no
    python -m pip show x                            | pip show                          | reads
    docker compose -f a.yml logs web                | docker compose logs               | reads
    docker ps -a                                    | docker ps                         | reads
    docker run x                                    | docker run                        | no
    kubectl -n x get pods                           | kubectl get                       | reads
    kubectl apply -f x                              | kubectl apply                     | no
    pytest -x tests                                 | pytest                            | no
    python -m pytest -x                             | pytest                            | no
    python3.11 -m unittest                          | unittest                          | no
    .venv/bin/pytest                                | pytest                            | no
    uv run pytest -q                                | pytest                            | no
    poetry run python -m pytest                     | pytest                            | no
    npx jest@29 a                                   | jest                              | no
    bundle exec rspec                               | rspec                             | no
    ./gradlew :app:test                             | gradlew test                      | no
    make -j4 -C dir test A=b                        | make test                         | no
    make A=b mine                                   | make                              | no
    cargo +nightly test                             | cargo test                        | no
    go test ./...                                   | go test                           | no
    python manage.py test app                       | manage.py test                    | no
    coverage run -m pytest                          | pytest                            | no
    python run.py                                   | python                            | no
    python test_x.py                                | ./test                            | no
    ./run_tests.sh                                  | ./test                            | no
    ./secret-project.sh                             | ./                                | no
    bash scripts/build.sh                           | bash                              | no
    bash tests/run_tests.sh                         | ./test                            | no
    python -c 'print(1)'                            | python -c                         | no
    python - <<'EOF'                                | python                            | no
    python -m json.tool a.json                      | python -m json.tool               | reads
    python --version                                | python --version                  | reads
    rm --help                                       | rm --version                      | reads
    node -e 'x'                                     | node -e                           | no
    perl -ne print a                                | perl                              | no
    perl -pi -e s/a/b/ a                            | perl -i                           | no
    sudo -u root cat /etc/x                         | cat                               | reads
    sudo rm x                                       | rm                                | no
    env A=b C=d grep x f                            | grep                              | reads
    env                                             | env                               | reads
    A=b grep x f                                    | grep                              | reads
    time timeout 5 grep x f                         | grep                              | reads
    timeout -s KILL 5s rm f                         | rm                                | no
    nice -n 5 ls                                    | ls                                | reads
    command -v git                                  | command -v                        | reads
    command ls                                      | ls                                | reads
    exec ls                                         | ls                                | reads
    bash -c 'ls; rm x'                              | ls, rm                            | no
    bash -lc "cat a"                                | cat                               | reads
    bash -euo pipefail -c 'cat a'                   | cat                               | reads
    sh -c "sh -c 'cat a'"                           | cat                               | reads
    cmd /c dir                                      | dir                               | reads
    eval "cat a"                                    | cat                               | reads
    docker exec -it -u root box cat /etc/x          | cat                               | reads
    docker exec box sh -c 'rm x'                    | rm                                | no
    docker exec                                     | docker exec                       | no
    ssh -p 22 host 'cat a; rm b'                    | cat, rm                           | no
    ssh host                                        | ssh                               | no
    busybox ls                                      | ls                                | reads
    yarn my-script                                  | yarn                              | no
    declare -A m=([a]=1 [b]="2"); ls                | declare, ls                       | reads
    sqlite3 a.db 'select 1'                         | sqlite3                           | no
    coproc ls                                       | ls                                | reads
    rtk git status                                  | git status                        | reads
    rtk test bun run test                           | bun run test                      | no
    echo "$(cat a)"                                 | cat, echo                         | reads
    echo "$(rm a)"                                  | rm, echo                          | no
    if [ -f a ]; then cat a; else echo no; fi       | test, cat, echo                   | reads
    for f in *; do cp $f x; done                    | cp                                | no
    f() { cat a; }; f                               | cat                               | reads
    test -f a && echo yes                           | test, echo                        | reads
    : > a                                           | true, >                           | no
    source .venv/bin/activate && pip list           | source activate, pip list         | reads
    . ./deploy.sh                                   | source                            | no
    sleep 5                                         | sleep                             | no
    A=1                                             | #                                 | no
    # only words                                    | #                                 | no
    $EDITOR a                                       | ?                                 | no
    "$HOME/bin/x y"                                 | ?                                 | no
    echo 'open                                      | ?                                 | no
    mysterytool --flag value                        | mysterytool                       | no
    "C:\\Windows\\System32\\bin\\findstr.exe" x a   | findstr                           | reads
    Get-Content a \\| Select-String x               | get-content, select-string        | reads
    apply_patch '*** Begin Patch'                   | apply_patch                       | no
    open "a.py" 12                                  | open                              | reads
    str_replace_editor view /a                      | str_replace_editor view           | reads
    str_replace_editor create /a --file_text 'x'    | str_replace_editor create         | no
    submit                                          | submit                            | no
"""


def rows() -> list[tuple[str, list[str], str]]:
    found = []
    for line in COMMANDS.strip().splitlines():
        command, names, verdict = (part.strip() for part in re.split(r"(?<!\\)\|", line))
        found.append((command.replace("\\|", "|").replace("\\\\;", "\\;"), names.split(", "), verdict))
    return found


@pytest.mark.parametrize(("command", "names", "verdict"), rows(), ids=lambda part: str(part)[:40])
def test_a_command_line(command: str, names: list[str], verdict: str) -> None:
    found = actions_of("bash", json.dumps({"command": command}))
    assert list(found) == [f"bash:{name}" for name in names]
    assert SHIPPED.reads_only(found) is (verdict == "reads")


@pytest.mark.parametrize(
    ("text", "names", "reads"),
    [
        ("cat > a.py <<'EOF'\nimport os; os.remove('x')\nEOF", "cat > <<", False),
        ("cat <<'EOF'\nrm x\nEOF", "cat", True),
        ("cat <<EOF\n$(rm x)\nEOF", "cat rm", False),
        ("tee a <<EOF\nx\nEOF", "tee <<", False),
        ("git apply <<EOF\nx\nEOF", "git_apply <<", False),
        ("apply_patch <<'PATCH'\n*** Begin Patch\nPATCH", "apply_patch <<", False),
        ("bash <<'EOF'\ncat a\nrm b\nEOF", "cat rm", False),
        ("python3 - <<'EOF'\nprint('x')\nEOF", "python", False),
        ("grep x <<< 'rm a'", "grep", True),
        ("ls\ncat a\n", "ls cat", True),
        ("edit 1:3\nimport os\nx = 'it's'\nend_of_edit", "edit", False),
        ("edit 'old' 'new'", "edit", False),
        ("cat a; cat b; cat c", "cat", True),
        ("comm -23 <(sort a) <(sort b)", "sort comm", True),
        ("ls > >(tee log)", "tee ls >", False),
    ],
)
def test_several_lines(text: str, names: str, reads: bool) -> None:
    found = actions_of("bash", {"command": text})
    assert list(found) == [f"bash:{name.replace('_apply', ' apply')}" for name in names.split()]
    assert SHIPPED.reads_only(found) is reads


@pytest.mark.parametrize(
    ("tool", "arguments", "expected"),
    [
        ("Bash", '{"command": "ls", "description": "x"}', "bash:ls"),
        ("functions.exec_command", '{"cmd":"ls","workdir":"/x"}', "bash:ls"),
        ("shell", '{"command":["bash","-lc","ls | wc"]}', "bash:ls bash:wc"),
        ("shell", '{"command":["ls"]}', "bash:ls"),
        ("shell", '{"command":["ls -la | wc"]}', "bash:ls bash:wc"),
        ("shell", '{"command":["grep","a; rm b","f"]}', "bash:grep"),
        ("shell", '{"command":["apply_patch","*** Begin Patch"]}', "bash:apply_patch"),
        ("shell", '{"command":["ls", 3]}', "bash:?"),
        ("container.exec", '{"cmd":["bash","-lc","cat x"]}', "bash:cat"),
        ("local_shell", '{"type":"exec","command":["ls"]}', "bash:ls"),
        ("local_shell_call", '{"action":{"type":"exec","command":["ls"]}}', "bash:ls"),
        ("run_command", '{"CommandLine": "ls", "Cwd": "/x"}', "bash:ls"),
        ("terminal", '{"command": "C-c", "is_input": "true"}', "bash:<"),
        ("execute_bash", '{"command": "", "is_input": "false"}', "bash:#"),
        ("developer__shell", '{"command": "ls"}', "bash:ls"),
        ("bash", "ls | wc", "bash:ls bash:wc"),
        ("bash", '"ls | wc"', "bash:ls bash:wc"),
        ("bash", "true", "bash:true"),
        ("bash", '["ls", "-la"]', "bash:ls"),
        ("bash", '{"command": "grep -n', "bash:?"),
        ("bash", '{"restart": true}', "bash:#"),
        ("bash", "{}", "bash:?"),
        ("bash", None, "bash:?"),
        ("bash", "", "bash:#"),
        ("bash_session", '{"action": "type_submit", "input": "ls"}', "bash:ls"),
        ("bash_session", '{"action": "read"}', "bash:#"),
        ("mcp__db__execute", '{"sql": "drop"}', "mcp__db__execute"),
        ("execute", '{"code": "print(1)"}', "execute"),
        ("execute", '{"command": "ls"}', "bash:ls"),
        ("Read", '{"file_path": "x"}', "read"),
        ("default_api.read_file", "{}", "read_file"),
        ("default_api:read_file", "{}", "read_file"),
        ("mcp__FS__Read_File", "{}", "mcp__fs__read_file"),
        (" Grep ", None, "grep"),
        (None, "{}", "?"),
        ("", "{}", "?"),
        ("bash:ls", "{}", "bash.ls"),
        ("x" * 200, "{}", "x" * 80),
        ("str_replace_editor", '{"command": "view", "path": "/a"}', "str_replace_editor:view"),
        ("str_replace_editor", '{"command": "str_replace"}', "str_replace_editor:str_replace"),
        ("str_replace_editor", '{"command": "my secret"}', "str_replace_editor:?"),
        ("str_replace_editor", '{"command": "view', "str_replace_editor:?"),
        ("str_replace_editor", '{"command": 3}', "str_replace_editor:?"),
        ("developer__text_editor", '{"command": "view"}', "developer__text_editor:view"),
        ("process", '{"action": "poll", "session_id": "x"}', "process:poll"),
        ("memory", '{"action": "add"}', "memory:add"),
        ("memory", '{"query": "x"}', "memory"),
        ("task_tracker", '{"command": "plan"}', "task_tracker:plan"),
        ("write_stdin", '{"session_id": 3, "chars": ""}', "write_stdin:poll"),
        ("write_stdin", '{"session_id": 3, "chars": "y"}', "write_stdin"),
        ("write_stdin", '{"session_id": 3, "yield_time_ms": 9}', "write_stdin:poll"),
        ("write_stdin", '{"session_id": 3, "chars": "', "write_stdin"),
        ("apply_patch", "*** Begin Patch", "apply_patch"),
    ],
)
def test_a_call(tool: str | None, arguments: str | None, expected: str) -> None:
    assert " ".join(actions_of(tool, arguments)) == expected


def test_arguments_may_be_decoded_already() -> None:
    assert actions_of("shell", {"command": ["bash", "-lc", "ls"]}) == ("bash:ls",)
    assert actions_of("file_editor", {"command": "view"}) == ("file_editor:view",)
    assert actions_of("bash", ["ls", "-la"]) == ("bash:ls",)


def test_a_call_has_few_actions_and_what_is_left_out_may_write() -> None:
    many = "; ".join(f"tool{number}" for number in range(40))
    assert len(actions(many)) == FEW
    assert actions(many)[-1] == "bash:?"
    assert not SHIPPED.reads_only(actions("; ".join(["ls", "cat", *many.split("; ")])))


@pytest.mark.parametrize("text", ["find -exec " * 5000, "eval " * 5000, "sudo " * 5000, "xargs " * 500])
def test_commands_inside_commands_end(text: str) -> None:
    assert actions(text)[-1] == "bash:?"
    assert len(actions(text)) <= 2


def test_a_text_beyond_all_measure_is_not_read() -> None:
    assert actions_of("bash", {"command": "ls " * 100_000}) == ("bash:?",)
    assert actions_of("bash", {"command": "ls " * 2_000}) == ("bash:ls",)


SPELLED = re.compile(r"bash:([a-z0-9._+-]{1,40}|\?|[#<>]|<<|\./|\./test)( (\?|--version))?")
WORDS = st.sampled_from(
    ["git", "sed", "find", "npm", "run", "docker", "sudo", "bash", "-c", "-i", "log", "secret key", "'a b'", "|", ";",
     ">", "&&", "$(", ")", "python", "-m", "x.py", "./own", "A=b", "xargs", "make", "\n", "<<EOF", "curl", "-X", "POST",
     "config", "{", "}"]
)  # fmt: skip


@settings(max_examples=200, deadline=None)
@given(words=st.lists(WORDS, max_size=14))
def test_only_programs_and_listed_words_are_spelled(words: list[str]) -> None:
    for action in actions_of("bash", {"command": " ".join(words)}):
        assert action in vocabulary() or SPELLED.fullmatch(action), action


JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=9),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["command", "cmd", "action", "x"]), inner)
    ),
    max_leaves=6,
)
TOOLS = st.none() | st.text(max_size=12) | st.sampled_from(["bash", "shell", "file_editor", "write_stdin", "execute"])


@settings(max_examples=200, deadline=None)
@given(tool=TOOLS, arguments=JSON | st.text(max_size=30))
def test_any_call_has_actions(tool: str | None, arguments: object) -> None:
    given = arguments if isinstance(arguments, dict | list | str) or arguments is None else json.dumps(arguments)
    found = actions_of(tool, given)
    assert 1 <= len(found) <= FEW
    assert len(set(found)) == len(found)
    assert found == actions_of(tool, json.dumps(given) if isinstance(given, dict) else given)


def test_the_same_program_is_the_same_under_any_shell_tool() -> None:
    for tool in ("Bash", "terminal", "execute_bash", "run_shell_command", "execute_command", "run_in_terminal"):
        assert actions_of(tool, {"command": "git log"}) == ("bash:git log",)
