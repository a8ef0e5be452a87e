import gxr

app = gxr.Application("extensions/hello/hello.yaml")
for problem in app.problems:
    print(problem)
report = app.run()
print(report.reason, [(each.entity, each.ticks) for each in report.entities])
